/* The supply, measured against the controller's own reference of 1.1 V. */
#ifndef SUPPLY_H
#define SUPPLY_H

#include <stdint.h>

void supply_start(void);

/* By how many percent the supply is now below what it was at the start. The reference differs too much from chip to
 * chip for volts; a dip is seen all the same. */
uint8_t supply_dip(void);

#endif
