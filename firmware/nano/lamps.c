#include "lamps.h"

#include <avr/interrupt.h>
#include <avr/pgmspace.h>
#include <stdint.h>
#include <string.h>
#include <util/atomic.h>
#include <util/delay.h>

#include "hardware.h"
#include "strips.h"
#include "uart.h"

#define MOST_CELLS 37
#define LONGEST_WORD 6
#define LATCH_US 300 /* the pause that makes them light */

/* At most a sixth of full light: 37 white lamps then take less than 0.4 A. */
static const char names[][LONGEST_WORD] PROGMEM = {"white", "teal", "gold", "red", "green", "blue"};
static const uint8_t lights[][3] PROGMEM = {{0, 0, 0}, {24, 24, 24}, {28, 0, 20}, {24, 40, 0},
                                            {0, 40, 0}, {40, 0, 0}, {0, 0, 40}}; /* green, red, blue */
#define COLOURS (sizeof names / sizeof *names)

static uint8_t lit[MOST_CELLS]; /* the number of its light, 0: dark */
static uint8_t colour;
static char word[LONGEST_WORD];
static uint8_t length;

/* The number of a cell by its name, row by row; `MOST_CELLS` if there is no such cell. */
static uint8_t cell_number(uint8_t letter, uint8_t number) {
    uint8_t row = field_hexagonal() ? letter : number - 1, index = 0;
    uint8_t place = field_hexagonal() ? number - field_first(row) : letter;
    if (row >= field_rows() || place >= field_cells(row)) {
        return MOST_CELLS;
    }
    while (row--) {
        index += field_cells(row);
    }
    return index + place;
}

static void end_word(void) {
    for (uint8_t i = 0; i < COLOURS; i++) {
        if (length && !strncmp_P(word, names[i], sizeof word)) {
            colour = i + 1;
        }
    }
    if (length == 2) {
        uint8_t cell = cell_number((uint8_t)((word[0] | 0x20) - 'a'), (uint8_t)(word[1] - '0'));
        if (cell < MOST_CELLS) {
            lit[cell] = colour;
        }
    }
    length = 0;
    memset(word, 0, sizeof word);
}

/* 20 cycles a bit: high for 6 (a zero) or 13 (a one), 0.38 or 0.81 µs. */
static void send_byte(uint8_t byte) {
    uint8_t high = LAMPS_PORT | BIT_OF(LAMPS), low = LAMPS_PORT & (uint8_t)~BIT_OF(LAMPS), bits = 8;
    __asm__ volatile(
        "1: out %[port], %[high]\n\t"
        "rjmp .+0\n\t"
        "rjmp .+0\n\t"
        "sbrs %[byte], 7\n\t"
        "out %[port], %[low]\n\t"
        "lsl %[byte]\n\t"
        "rjmp .+0\n\t"
        "rjmp .+0\n\t"
        "nop\n\t"
        "out %[port], %[low]\n\t"
        "rjmp .+0\n\t"
        "nop\n\t"
        "dec %[bits]\n\t"
        "brne 1b\n\t"
        : [byte] "+r"(byte), [bits] "+r"(bits)
        : [port] "I"(_SFR_IO_ADDR(LAMPS_PORT)), [high] "r"(high), [low] "r"(low));
}

void lamps_begin(void) {
    memset(lit, 0, sizeof lit);
    memset(word, 0, sizeof word);
    length = 0;
    colour = 1;
}

void lamps_read(char letter) {
    if (letter == ' ') {
        end_word();
    } else if (length < LONGEST_WORD) {
        word[length++] = letter;
    }
}

/* No interrupt may come within a lamp's 24 bits or make a pause that latches, so the receiver is
 * polled in between: a lamp takes 32 µs, a byte on the line 87. */
void lamps_show(void) {
    end_word();
    LOW(LAMPS);
    OUTPUT(LAMPS);
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        for (uint8_t i = 0; i < MOST_CELLS; i++) {
            for (uint8_t j = 0; j < 3; j++) {
                send_byte(pgm_read_byte(&lights[lit[i]][j]));
            }
            uart_poll();
        }
    }
    _delay_us(LATCH_US);
}
