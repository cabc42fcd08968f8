#include "contacts.h"

#include <avr/pgmspace.h>
#include <string.h>
#include <util/delay.h>

#include "hardware.h"

#if HAS_CONTACTS

static const uint8_t *inputs;
static uint8_t cells;
static uint8_t steady[CHAIN_CHIPS], count_low[CHAIN_CHIPS], count_high[CHAIN_CHIPS];

static void read_chain(uint8_t bytes[CHAIN_CHIPS]) {
    spi_mode(SPI_SHIFT);
    LOW(CHAIN_LOAD);
    HIGH(CHAIN_LOAD);
    for (uint8_t i = 0; i < CHAIN_CHIPS; i++) {
        bytes[i] = (uint8_t)~spi_swap(0);
    }
}

/* A 2-bit counter for each input, as two bit planes: the fourth equal sample in a row flips the
 * steady bit. */
static void debounce(uint8_t changed[CHAIN_CHIPS]) {
    uint8_t sample[CHAIN_CHIPS];
    read_chain(sample);
    for (uint8_t i = 0; i < CHAIN_CHIPS; i++) {
        uint8_t differs = sample[i] ^ steady[i];
        count_low[i] = (uint8_t)~(count_low[i] & differs);
        count_high[i] = count_low[i] ^ (count_high[i] & differs);
        changed[i] = differs & count_low[i] & count_high[i];
        steady[i] ^= changed[i];
    }
}

static bool bit_of(const uint8_t *bytes, uint8_t input) {
    return bytes[input / 8] & (0x80 >> input % 8);
}

static uint8_t input_of(uint8_t cell) {
    return pgm_read_byte(inputs + cell);
}

void contacts_start(const uint8_t *by_cell, uint8_t count) {
    uint8_t changed[CHAIN_CHIPS];
    inputs = by_cell;
    cells = count;
    HIGH(CHAIN_LOAD);
    OUTPUT(CHAIN_LOAD);
    for (uint8_t i = 0; i < CHAIN_CHIPS; i++) {
        count_low[i] = count_high[i] = 0xff;
    }
    for (uint8_t i = 0; i < 4; i++) {
        debounce(changed);
        _delay_ms(SAMPLE_MS);
    }
}

const uint8_t *contacts_presence(void) {
    static uint8_t presence[PRESENCE_BYTES];
    memset(presence, 0, sizeof presence);
    for (uint8_t cell = 0; cell < cells; cell++) {
        if (bit_of(steady, input_of(cell))) {
            presence[cell / 8] |= 0x80 >> cell % 8;
        }
    }
    return presence;
}

void contacts_sample(void (*cell_changed)(uint8_t cell, bool on)) {
    uint8_t changed[CHAIN_CHIPS];
    debounce(changed);
    for (uint8_t cell = 0; cell < cells; cell++) {
        if (bit_of(changed, input_of(cell))) {
            cell_changed(cell, bit_of(steady, input_of(cell)));
        }
    }
}

#endif
