/* Settings in the EEPROM: the board's identity and field, and its start count. */
#ifndef SETTINGS_H
#define SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#define MOST_AXES 3

struct geometry {
    uint8_t code, rows, columns, cells, loops;
    const uint8_t *inputs;    /* input of the chain for each cell; in flash memory */
    uint32_t centred;         /* bit mask of the loops centred on cells */
    uint32_t axes[MOST_AXES]; /* the same by axis; 0 if there is none */
};

/* Addresses in the EEPROM, written by CONFIGURE. */
#define EEPROM_BOARD_ID 0
#define EEPROM_GEOMETRY 8

/* Count this start; return once the new count is written. 1 to 65,535, then 1 again. */
uint16_t settings_count_boot(void);
void settings_board_id(uint8_t id[8]);

/* Write the board's id and its geometry, used from the next start. Return false, without a change,
 * for an unknown geometry. Takes at most 31 ms. */
bool settings_configure(const uint8_t id[8], uint8_t geometry);

/* The board's field; the square one unless the EEPROM selects another. */
const struct geometry *settings_geometry(void);

#endif
