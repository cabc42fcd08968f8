/* The Arduino Nano's firmware: say in lines of text what stands where (docs/your-own-board.md). */

#include <avr/interrupt.h>
#include <avr/pgmspace.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include <stdio.h>

#include "nano.h"

#define SAMPLES_IN(ms) ((ms) / SAMPLE_MS)
#define REPEAT_MS 400
#define MOST_TEXT 160 /* of a line from the host: each cell and each colour fits */

static volatile bool sample_due;

/* --- Start and watchdog ---------------------------------------------------------------------- */

/* Runs first. */
__attribute__((naked, used, section(".init3"))) static void stop_watchdog(void) {
    MCUSR = 0;
    wdt_disable();
}

/* Start again without a reset: the bootloader of 57,600 baud that many Nanos have leaves the
 * watchdog on, at 16 ms, and so would be reset for ever. */
ISR(WDT_vect, ISR_NAKED) {
    __asm__ volatile("jmp 0");
}

/* Interrupt only, after 1 s. */
static void watchdog_start(void) {
    wdt_reset();
    WDTCSR = _BV(WDCE) | _BV(WDE);
    WDTCSR = _BV(WDIE) | _BV(WDP2) | _BV(WDP1);
}

ISR(TIMER1_COMPA_vect) {
    sample_due = true;
}

static void timer_start(void) {
    TCCR1A = 0;
    TCNT1 = 0;
    OCR1A = F_CPU / 64 * SAMPLE_MS / 1000 - 1;
    TIMSK1 = _BV(OCIE1A);
    TCCR1B = _BV(WGM12) | _BV(CS11) | _BV(CS10);
}

/* --- Lines ----------------------------------------------------------------------------------- */

/* A ring; when it is full, what it holds is lost. */
static volatile uint8_t received[256], received_head, received_tail;
static uint8_t checksum;

void receive_byte(void) {
    if (bit_is_set(UCSR0A, RXC0)) {
        received[received_head++] = UDR0;
    }
}

ISR(USART_RX_vect) {
    receive_byte();
}

static int put(char letter, FILE *stream) {
    (void)stream;
    checksum ^= (uint8_t)letter;
    loop_until_bit_is_set(UCSR0A, UDRE0);
    UDR0 = (uint8_t)letter;
    return 0;
}

static FILE line = FDEV_SETUP_STREAM(put, NULL, _FDEV_SETUP_WRITE);

static void uart_start(void) {
    UCSR0A = _BV(U2X0);
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UBRR0 = (F_CPU / 8 + BAUD / 2) / BAUD - 1; /* last, because simavr computes the speed at this write */
    UCSR0B = _BV(RXCIE0) | _BV(RXEN0) | _BV(TXEN0);
    stdout = &line;
}

static void send_greeting(void) {
    printf_P(PSTR("#board 1 %S kind=" KIND " fw=" FIRMWARE "\n"), board.hexagonal ? PSTR("hex4") : PSTR("6x6"));
}

static void send_state(void) {
    const char *space = "";
    if (board.fault) {
        printf_P(PSTR("!strip %u\n"), board.fault);
    }
    checksum = 0;
    for (uint8_t row = 0; row < CHAIN_CHIPS; row++) {
        for (uint8_t cell = 0; cell < row_cells(row); cell++) {
            if (board.occupied[row] & 0x80 >> cell) {
                printf_P(PSTR("%s%c%u"), space, board.hexagonal ? 'a' + row : 'A' + cell,
                         board.hexagonal ? row_first(row) + cell : 1 + row);
                space = " ";
            }
        }
    }
    if (!*space) {
        putchar('-');
    }
    printf_P(PSTR("*%02X\n"), checksum);
}

/* Take what has arrived; return whether a greeting was asked for. A line that is too long loses its
 * end, which is nothing the firmware needs. */
static bool receive(void) {
    static char text[MOST_TEXT];
    static uint8_t length;
    bool asked = false;
    while (received_tail != received_head) {
        char letter = (char)received[received_tail++];
        if (letter != '\n' && letter != '\r') {
            text[length] = letter;
            length += length < MOST_TEXT - 1;
            continue;
        }
        text[length] = 0;
        length = 0;
        asked |= text[0] == '?';
        if (text[0] == '*') {
            lamps_show(text + 1);
        }
    }
    return asked;
}

/* --- Main loop ------------------------------------------------------------------------------- */

/* Every interrupt wakes it: a received byte, or the next sample. */
static void sleep_until_interrupt(void) {
    cli();
    sleep_enable();
    sei(); /* takes effect after the next instruction */
    if (!sample_due) {
        sleep_cpu();
    }
    sleep_disable();
}

int main(void) {
    uint8_t waited = 0, repeats = 0, greeted_cells = 0;
    watchdog_start();
    uart_start();
    strips_start();
    lamps_show((char[]){""});
    timer_start();
    sei();
    putchar('\n'); /* ends a line that the restart cut short */
    for (;;) {
        wdt_reset();
        bool must_greet = receive(), is_due = sample_due;
        if (is_due) {
            sample_due = false;
            repeats = strips_sample() ? 2 : repeats;
        }
        if (must_greet || greeted_cells != row_cells(0)) {
            greeted_cells = row_cells(0);
            send_greeting();
            repeats = 2;
        }
        if (is_due && (repeats || ++waited >= SAMPLES_IN(REPEAT_MS))) {
            repeats -= repeats > 0;
            waited = 0;
            send_state();
        }
        sleep_until_interrupt();
    }
}
