/* Measure the supply against the controller's own reference of 1.1 V. */
#ifndef SUPPLY_H
#define SUPPLY_H

#include <stdint.h>

void supply_start(void);

/* Percent by which the supply is below its value at the start. The reference varies too much
 * between chips for volts, but a dip shows. */
uint8_t supply_dip(void);

#endif
