#include "strips.h"

#include <string.h>
#include <util/delay.h>

#include "hardware.h"

#define SQUARE_SIDE 6
#define MIDDLE 3 /* the hexagon's longest row */
#define SAMPLES 4
#define FAULT_SAMPLES (500 / SAMPLE_MS)
#define NO_STRIP 0xff

static bool hexagonal;
static uint8_t steady[CHAIN_CHIPS], count_low[CHAIN_CHIPS], count_high[CHAIN_CHIPS];
static uint8_t sevenths, wrong_samples, fault, fault_left;

bool field_hexagonal(void) {
    return hexagonal;
}

uint8_t field_rows(void) {
    return hexagonal ? CHAIN_CHIPS : SQUARE_SIDE;
}

static uint8_t cells_of(uint8_t row, bool six_sided) {
    return six_sided ? CHAIN_CHIPS - (row > MIDDLE ? row - MIDDLE : MIDDLE - row) : SQUARE_SIDE;
}

uint8_t field_cells(uint8_t row) {
    return cells_of(row, hexagonal);
}

uint8_t field_first(uint8_t row) {
    return hexagonal && row > MIDDLE ? row - MIDDLE + 1 : 1;
}

bool field_occupied(uint8_t row, uint8_t cell) {
    return steady[row] & (0x80 >> cell);
}

uint8_t strips_fault(void) {
    return fault;
}

static void read_chain(uint8_t levels[CHAIN_CHIPS]) {
    LOW(CHAIN_LOAD);
    HIGH(CHAIN_LOAD);
    for (uint8_t i = 0; i < CHAIN_CHIPS; i++) {
        SPDR = 0;
        while (!(SPSR & _BV(SPIF))) {
        }
        levels[i] = SPDR;
    }
}

/* The first strip without its sentinels: D0 is low and, where it is no cell, D1 high. A plug that
 * is out reads as ones, a strip without its clock repeats one bit, and a clock too many or too few
 * shifts them. */
static uint8_t first_wrong(const uint8_t *levels, bool six_sided) {
    for (uint8_t i = 0; i < (six_sided ? CHAIN_CHIPS : SQUARE_SIDE); i++) {
        uint8_t mask = cells_of(i, six_sided) == CHAIN_CHIPS ? 1 : 3;
        if ((levels[i] & mask) != (mask & 2)) {
            return i;
        }
    }
    return NO_STRIP;
}

static bool all_ones(const uint8_t *levels, uint8_t from) {
    for (uint8_t i = from; i < CHAIN_CHIPS; i++) {
        if (levels[i] != 0xff) {
            return false;
        }
    }
    return true;
}

/* A 2-bit counter for each cell, as two bit planes: the fourth equal sample in a row flips the
 * steady bit. */
static bool debounce(uint8_t row, uint8_t level) {
    uint8_t cells = (uint8_t)(0xff << (8 - field_cells(row)));
    uint8_t differs = ((uint8_t)~level ^ steady[row]) & cells;
    count_low[row] = (uint8_t)~(count_low[row] & differs);
    count_high[row] = count_low[row] ^ (count_high[row] & differs);
    uint8_t changed = differs & count_low[row] & count_high[row];
    steady[row] ^= changed;
    return changed;
}

/* A wrong sample is dropped: of a clock that slipped nobody knows where. Only if nothing but ones
 * comes from a strip on, its plug is out, and the strips before it are right. */
bool strips_sample(void) {
    uint8_t levels[CHAIN_CHIPS], fault_before = fault;
    bool changed = false;
    read_chain(levels);
    sevenths = first_wrong(levels, true) == NO_STRIP ? sevenths + 1 : 0;
    if (!hexagonal && sevenths >= SAMPLES) {
        hexagonal = changed = true;
    }
    sevenths -= sevenths > SAMPLES;
    if (fault_left && !--fault_left) {
        fault = 0;
    }
    uint8_t wrong = first_wrong(levels, hexagonal);
    if (wrong == NO_STRIP) {
        wrong_samples = 0;
    } else if (++wrong_samples >= SAMPLES) {
        wrong_samples = SAMPLES - 1;
        fault = wrong + 1;
        fault_left = FAULT_SAMPLES;
    }
    if (wrong != NO_STRIP && !all_ones(levels, wrong)) {
        wrong = 0;
    }
    for (uint8_t row = 0; row < field_rows() && row < wrong; row++) {
        changed |= debounce(row, levels[row]);
    }
    return changed || fault != fault_before;
}

void strips_start(void) {
    HIGH(CHAIN_LOAD);
    OUTPUT(CHAIN_LOAD);
    HIGH(SS); /* an input would make the SPI a slave */
    OUTPUT(SS);
    OUTPUT(MOSI);
    OUTPUT(SCK);
    HIGH(MISO); /* its pull-up: a missing first strip reads as ones */
    SPCR = _BV(SPE) | _BV(MSTR) | _BV(SPR0); /* mode 0, F_CPU / 8 = 2 MHz */
    SPSR = _BV(SPI2X);
    memset(count_low, 0xff, sizeof count_low);
    memset(count_high, 0xff, sizeof count_high);
    for (uint8_t i = 0; i < 2 * SAMPLES; i++) {
        strips_sample();
        _delay_ms(SAMPLE_MS);
    }
}
