#include "settings.h"

#include <avr/eeprom.h>
#include <avr/pgmspace.h>

#include "pins.h"

/* Two slots, written in turn: a power failure during a write leaves the other one valid. */
#define SLOT_0 16
#define SLOT_1 24

static const uint8_t square_inputs[SQUARE_CELLS] PROGMEM = SQUARE_INPUTS;
static const uint8_t hexagonal_inputs[HEXAGONAL_CELLS] PROGMEM = HEXAGONAL_INPUTS;

static const struct geometry square = {SQUARE_CODE, SQUARE_ROWS, SQUARE_COLUMNS, SQUARE_CELLS, SQUARE_LOOPS,
                                       square_inputs, SQUARE_CENTRED, SQUARE_AXES};
static const struct geometry hexagonal = {
    HEXAGONAL_CODE, HEXAGONAL_ROWS, HEXAGONAL_COLUMNS, HEXAGONAL_CELLS, HEXAGONAL_LOOPS, hexagonal_inputs,
    HEXAGONAL_CENTRED, HEXAGONAL_AXES};

static uint8_t read(uint8_t address) {
    return eeprom_read_byte((const uint8_t *)(uint16_t)address);
}

static void write(uint8_t address, uint8_t byte) {
    eeprom_update_byte((uint8_t *)(uint16_t)address, byte);
}

/* An empty slot (FF) and one of zeros are invalid. */
static uint8_t check(uint16_t boot) {
    return (uint8_t)boot ^ (uint8_t)(boot >> 8) ^ 0x5a;
}

static bool read_slot(uint8_t slot, uint16_t *boot) {
    *boot = read(slot) | (uint16_t)read(slot + 1) << 8;
    return read(slot + 2) == check(*boot);
}

uint16_t settings_count_boot(void) {
    uint16_t first, second, boot = 0;
    uint8_t slot = SLOT_0;
    bool first_whole = read_slot(SLOT_0, &first), second_whole = read_slot(SLOT_1, &second);
    if (first_whole && (!second_whole || (int16_t)(first - second) > 0)) {
        boot = first;
        slot = SLOT_1;
    } else if (second_whole) {
        boot = second;
    }
    if (++boot == 0) {
        boot = 1;
    }
    write(slot + 2, (uint8_t)~check(boot)); /* valid only once all is written */
    write(slot, (uint8_t)boot);
    write(slot + 1, (uint8_t)(boot >> 8));
    write(slot + 2, check(boot));
    eeprom_busy_wait();
    return boot;
}

void settings_board_id(uint8_t id[8]) {
    for (uint8_t i = 0; i < 8; i++) {
        id[i] = read(EEPROM_BOARD_ID + i);
    }
}

bool settings_configure(const uint8_t id[8], uint8_t code) {
    if (code != SQUARE_CODE && code != HEXAGONAL_CODE) {
        return false;
    }
    for (uint8_t i = 0; i < 8; i++) {
        write(EEPROM_BOARD_ID + i, id[i]);
    }
    write(EEPROM_GEOMETRY, code);
    eeprom_busy_wait();
    return true;
}

const struct geometry *settings_geometry(void) {
    return read(EEPROM_GEOMETRY) == HEXAGONAL_CODE ? &hexagonal : &square;
}
