/* What the EEPROM keeps: who the board is, what field it is built for, and how often it has started. */
#ifndef SETTINGS_H
#define SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#define MOST_AXES 3

struct geometry {
    uint8_t code, rows, columns, cells, loops;
    const uint8_t *inputs;    /* of the chain, one for each cell; in flash memory */
    uint32_t centred;         /* a bit for each loop that is centred on cells */
    uint32_t axes[MOST_AXES]; /* the same, axis by axis; 0 where there is none */
};

/* Addresses in the EEPROM, written when the host asks CONFIGURE. */
#define EEPROM_BOARD_ID 0
#define EEPROM_GEOMETRY 8

/* Counts this start; returns when the new count is written. 1 to 65,535 and again from 1. */
uint16_t settings_count_boot(void);
void settings_board_id(uint8_t id[8]);

/* Writes the board's id and its geometry, which counts from the next start; false, and nothing written, for a geometry
 * that is not known. Takes at most 31 ms. */
bool settings_configure(const uint8_t id[8], uint8_t geometry);

/* The field that the board is built for; the square one unless the EEPROM says another. */
const struct geometry *settings_geometry(void);

#endif
