/* Debounce the chain of 74HC165: the cells' contacts. A closed contact pulls its input low. */
#ifndef CONTACTS_H
#define CONTACTS_H

#include <stdbool.h>
#include <stdint.h>

#define PRESENCE_BYTES 5

/* Interval of `contacts_sample`: four equal samples make a bit. */
#define SAMPLE_MS 5

/* `inputs` (in flash memory): the input of the chain for each cell. */
void contacts_start(const uint8_t *inputs, uint8_t cells);

/* Bit 7 of the first byte is cell 0. */
const uint8_t *contacts_presence(void);
void contacts_sample(void (*cell_changed)(uint8_t cell, bool on));

#endif
