/* The chain of 74HC165, a strip a row of the field: read, checked by its sentinel bits, debounced. */
#ifndef STRIPS_H
#define STRIPS_H

#include <stdbool.h>
#include <stdint.h>

#include "pins.h"

/* Interval of `strips_sample`: four equal samples change a cell, four wrong ones are a fault. */
#define SAMPLE_MS 5

/* Take the first samples, 40 ms. */
void strips_start(void);

/* Read the chain once; return whether a cell, the fault or the field has changed. */
bool strips_sample(void);

/* The first strip, from 1, that does not answer as it should; 0: all do. Its cells, and those of
 * the strips behind it, stay as they were read last. */
uint8_t strips_fault(void);

/* --- The field: 6 x 6, or a hexagon of side 4 as soon as a seventh strip answers ------------- */

bool field_hexagonal(void);
uint8_t field_rows(void);
uint8_t field_cells(uint8_t row);

/* The number of a hexagonal row's first cell: e2, f3, g4, else 1. */
uint8_t field_first(uint8_t row);

/* Whether something stands on a row's cell, from 0. */
bool field_occupied(uint8_t row, uint8_t cell);

#endif
