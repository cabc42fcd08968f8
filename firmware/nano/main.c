/* The Arduino Nano's firmware: say in lines of text what stands where (docs/your-own-board.md). */

#include <avr/interrupt.h>
#include <avr/pgmspace.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include <stdbool.h>

#include "hardware.h"
#include "lamps.h"
#include "strips.h"
#include "uart.h"

#define SAMPLES_IN(ms) ((ms) / SAMPLE_MS)
#define REPEAT_MS 400
#define BITTEN 0xb17e

/* Not initialised, so both survive a restart. */
static uint8_t reset_flags __attribute__((section(".noinit")));
static uint16_t watchdog_mark __attribute__((section(".noinit")));

static volatile bool sample_due;
static PGM_P reset_cause;

/* --- Start and watchdog ---------------------------------------------------------------------- */

/* Runs first, and switches the watchdog off. */
void keep_reset_flags(void) __attribute__((naked, used, section(".init3")));
void keep_reset_flags(void) {
    reset_flags = MCUSR;
    MCUSR = 0;
    wdt_disable();
}

/* Power-on also sets the brown-out flag. A bootloader may have cleared all flags. */
static PGM_P find_reset_cause(void) {
    bool bitten = watchdog_mark == BITTEN;
    watchdog_mark = 0;
    if (reset_flags & _BV(PORF)) {
        return PSTR("power");
    }
    if (reset_flags & _BV(BORF)) {
        return PSTR("brown-out");
    }
    return bitten ? PSTR("watchdog") : reset_flags & _BV(EXTRF) ? PSTR("button") : PSTR("unknown");
}

/* Start again without a reset: the bootloader of 57,600 baud that many Nanos have leaves the
 * watchdog on, at 16 ms, and so would be reset for ever. */
ISR(WDT_vect, ISR_NAKED) {
    __asm__ volatile("clr __zero_reg__");
    watchdog_mark = BITTEN;
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

static uint8_t checksum;

static void put(char letter) {
    checksum ^= (uint8_t)letter;
    uart_put(letter);
}

static void put_text(const char *text) {
    for (char letter; (letter = (char)pgm_read_byte(text)); text++) {
        put(letter);
    }
}

static void put_hex(uint8_t digit) {
    put((char)(digit + (digit < 10 ? '0' : 'A' - 10)));
}

static void send_greeting(void) {
    put_text(field_hexagonal() ? PSTR("#board 1 hex4") : PSTR("#board 1 6x6"));
    put_text(PSTR(" kind=" KIND " fw=" FIRMWARE " reset="));
    put_text(reset_cause);
    put('\n');
}

static void put_cell(uint8_t row, uint8_t cell) {
    if (field_hexagonal()) {
        put((char)('a' + row));
        put((char)('0' + field_first(row) + cell));
    } else {
        put((char)('A' + cell));
        put((char)('1' + row));
    }
}

static void send_state(void) {
    bool empty = true;
    if (strips_fault()) {
        put_text(PSTR("!strip "));
        put_hex(strips_fault());
        put('\n');
    }
    checksum = 0;
    for (uint8_t row = 0; row < field_rows(); row++) {
        for (uint8_t cell = 0; cell < field_cells(row); cell++) {
            if (field_occupied(row, cell)) {
                if (!empty) {
                    put(' ');
                }
                put_cell(row, cell);
                empty = false;
            }
        }
    }
    if (empty) {
        put('-');
    }
    uint8_t sum = checksum;
    put('*');
    put_hex(sum >> 4);
    put_hex(sum & 15);
    put('\n');
}

/* Return whether a greeting was asked for. */
static bool receive(void) {
    static char first;
    bool asked = false;
    for (int16_t byte; (byte = uart_take()) >= 0;) {
        char letter = (char)byte;
        if (letter == '\n' || letter == '\r') {
            asked |= first == '?';
            if (first == '*') {
                lamps_show();
            }
            first = 0;
        } else if (!first) {
            first = letter;
            lamps_begin();
        } else if (first == '*') {
            lamps_read(letter);
        }
    }
    return asked;
}

/* --- Main loop ------------------------------------------------------------------------------- */

/* Every interrupt wakes it: a received byte, or the next sample. */
static void sleep_until_interrupt(void) {
    cli();
    if (sample_due) {
        sei();
        return;
    }
    sleep_enable();
    sei();
    sleep_cpu();
    sleep_disable();
}

int main(void) {
    uint8_t waited = 0, repeats = 2;
    reset_cause = find_reset_cause();
    watchdog_start();
    uart_start();
    strips_start();
    lamps_begin();
    lamps_show();
    timer_start();
    sei();
    set_sleep_mode(SLEEP_MODE_IDLE);
    uart_put('\n'); /* ends a line that the restart cut short */
    send_greeting();
    bool hexagonal = field_hexagonal();
    for (;;) {
        wdt_reset();
        if (receive()) {
            send_greeting();
            repeats = 2;
        }
        if (sample_due) {
            sample_due = false;
            repeats = strips_sample() ? 2 : repeats;
            if (hexagonal != field_hexagonal()) {
                hexagonal = field_hexagonal();
                send_greeting();
            }
            if (repeats || ++waited >= SAMPLES_IN(REPEAT_MS)) {
                repeats -= repeats > 0;
                waited = 0;
                send_state();
            }
        }
        sleep_until_interrupt();
    }
}
