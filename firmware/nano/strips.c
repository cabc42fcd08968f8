/* The chain of 74HC165, a strip a row of the field: read, checked by its sentinel bits, debounced. */

#include "nano.h"

#include <string.h>
#include <util/delay.h>

#define SQUARE_SIDE 6
#define MIDDLE 3 /* the hexagon's longest row */
#define SAMPLES 4
#define FAULT_SAMPLES (500 / SAMPLE_MS)
#define NO_STRIP 0xff

struct board board;

#define ONES {[0 ... CHAIN_CHIPS - 1] = 0xff}
static const uint8_t ones[CHAIN_CHIPS] = ONES;
static uint8_t count_low[CHAIN_CHIPS] = ONES, count_high[CHAIN_CHIPS] = ONES;
static uint8_t sevenths, wrong_samples, fault_left;

uint8_t row_cells(uint8_t row) {
    if (board.hexagonal) {
        return CHAIN_CHIPS - (row > MIDDLE ? row - MIDDLE : MIDDLE - row);
    }
    return row < SQUARE_SIDE ? SQUARE_SIDE : 0;
}

uint8_t row_first(uint8_t row) {
    return board.hexagonal && row > MIDDLE ? row - MIDDLE + 1 : 1;
}

static void read_chain(uint8_t levels[CHAIN_CHIPS]) {
    LOW(CHAIN_LOAD_PIN);
    HIGH(CHAIN_LOAD_PIN);
    for (uint8_t i = 0; i < CHAIN_CHIPS; i++) {
        SPDR = 0;
        loop_until_bit_is_set(SPSR, SPIF);
        levels[i] = SPDR;
    }
}

/* The first strip without its sentinels: D0 is low and, where it is no cell, D1 high. A plug that
 * is out reads as ones, a strip without its clock repeats one bit, and a clock too many or too few
 * shifts them. */
static uint8_t first_wrong(const uint8_t *levels, bool hexagonal) {
    for (uint8_t i = 0; i < (hexagonal ? CHAIN_CHIPS : SQUARE_SIDE); i++) {
        uint8_t mask = hexagonal && i == MIDDLE ? 1 : 3;
        if ((levels[i] & mask) != (mask & 2)) {
            return i;
        }
    }
    return NO_STRIP;
}

/* A 2-bit counter for each cell, as two bit planes: the fourth equal sample in a row flips it. */
static bool debounce(uint8_t row, uint8_t level) {
    uint8_t cells = (uint8_t)(0xff << (8 - row_cells(row)));
    uint8_t differs = ((uint8_t)~level ^ board.occupied[row]) & cells;
    count_low[row] = (uint8_t)~(count_low[row] & differs);
    count_high[row] = count_low[row] ^ (count_high[row] & differs);
    uint8_t changed = differs & count_low[row] & count_high[row];
    board.occupied[row] ^= changed;
    return changed;
}

/* A wrong sample is dropped: of a clock that slipped nobody knows where. Only if nothing but ones
 * comes from a strip on, its plug is out, and the strips before it are right. */
bool strips_sample(void) {
    uint8_t levels[CHAIN_CHIPS], fault_before = board.fault;
    bool changed = false;
    read_chain(levels);
    sevenths = first_wrong(levels, true) == NO_STRIP ? sevenths + 1 : 0;
    if (!board.hexagonal && sevenths == SAMPLES) {
        board.hexagonal = changed = true;
    }
    if (fault_left && !--fault_left) {
        board.fault = 0;
    }
    uint8_t wrong = first_wrong(levels, board.hexagonal);
    if (wrong == NO_STRIP) {
        wrong_samples = 0;
    } else if (++wrong_samples >= SAMPLES) {
        wrong_samples = SAMPLES;
        board.fault = wrong + 1;
        fault_left = FAULT_SAMPLES;
    }
    if (wrong != NO_STRIP && memcmp(levels + wrong, ones, (size_t)(CHAIN_CHIPS - wrong))) {
        wrong = 0;
    }
    for (uint8_t row = 0; row < CHAIN_CHIPS && row < wrong; row++) {
        changed |= debounce(row, levels[row]);
    }
    return changed || board.fault != fault_before;
}

void strips_start(void) {
    HIGH(CHAIN_LOAD_PIN);
    OUTPUT(CHAIN_LOAD_PIN);
    HIGH(SS_PIN); /* an input would make the SPI a slave */
    OUTPUT(SS_PIN);
    OUTPUT(MOSI_PIN);
    OUTPUT(SCK_PIN);
    HIGH(MISO_PIN); /* its pull-up: a missing first strip reads as ones */
    SPCR = _BV(SPE) | _BV(MSTR) | _BV(SPR0); /* mode 0, F_CPU / 8 = 2 MHz */
    SPSR = _BV(SPI2X);
    for (uint8_t i = 0; i < 2 * SAMPLES; i++) {
        strips_sample();
        _delay_ms(SAMPLE_MS);
    }
}
