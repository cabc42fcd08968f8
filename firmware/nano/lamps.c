#include "nano.h"

#include <avr/pgmspace.h>
#include <string.h>
#include <util/atomic.h>
#include <util/delay.h>

#define MOST_CELLS 37
#define LATCH_US 300 /* the pause that makes them light */

/* Green, red, blue, at most a sixth of full light: 37 white lamps then take less than 0.4 A. */
static const struct {
    char word[6];
    uint8_t light[3];
} colours[] PROGMEM = {{"", {0, 0, 0}}, {"white", {24, 24, 24}}, {"teal", {28, 0, 20}}, {"gold", {24, 40, 0}},
                       {"red", {0, 40, 0}}, {"green", {40, 0, 0}}, {"blue", {0, 0, 40}}};
#define WHITE 1

/* The number of a cell by its name, row by row; `MOST_CELLS` if there is no such cell. */
static uint8_t cell_number(const char *name) {
    uint8_t letter = (uint8_t)((name[0] | 0x20) - 'a'), number = (uint8_t)(name[1] - '0'), index = 0;
    uint8_t row = board.hexagonal ? letter : number - 1;
    uint8_t place = board.hexagonal ? number - row_first(row) : letter;
    if (strlen(name) != 2 || row >= CHAIN_CHIPS || place >= row_cells(row)) {
        return MOST_CELLS;
    }
    while (row--) {
        index += row_cells(row);
    }
    return index + place;
}

/* 20 cycles a bit: high for 6 (a zero) or 13 (a one), 0.38 or 0.81 µs. */
static void send_byte(uint8_t byte) {
    uint8_t high = PORT_OF(LAMPS_PIN) | BIT_OF(LAMPS_PIN), low = high ^ BIT_OF(LAMPS_PIN), bits = 8;
    __asm__ volatile(
        "1: out %[port], %[high]\n rjmp .+0\n rjmp .+0\n sbrs %[byte], 7\n"
        "out %[port], %[low]\n lsl %[byte]\n rjmp .+0\n rjmp .+0\n nop\n"
        "out %[port], %[low]\n rjmp .+0\n nop\n dec %[bits]\n brne 1b\n"
        : [byte] "+r"(byte), [bits] "+r"(bits)
        : [port] "I"(_SFR_IO_ADDR(PORT_OF(LAMPS_PIN))), [high] "r"(high), [low] "r"(low));
}

/* No interrupt may come within a lamp's 24 bits or make a pause that latches, so the receiver is
 * polled in between: a lamp takes 32 µs, a byte on the line 87. */
void lamps_show(char *words) {
    uint8_t lit[MOST_CELLS] = {0}, colour = WHITE; /* a cell's colour */
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
        uint8_t cell = cell_number(word);
        if (cell < MOST_CELLS) {
            lit[cell] = colour;
        }
        for (uint8_t i = WHITE; i < sizeof colours / sizeof *colours; i++) {
            colour = strcmp_P(word, colours[i].word) ? colour : i;
        }
    }
    LOW(LAMPS_PIN);
    OUTPUT(LAMPS_PIN);
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        for (uint8_t i = 0; i < MOST_CELLS; i++) {
            for (uint8_t j = 0; j < 3; j++) {
                send_byte(pgm_read_byte(&colours[lit[i]].light[j]));
            }
            receive_byte();
        }
    }
    _delay_us(LATCH_US);
}
