/* Measure the supply against the controller's own reference of 1.1 V. */
#ifndef SUPPLY_H
#define SUPPLY_H

#include <stdbool.h>

void supply_start(void);

/* Whether the supply is at least 8 % below its value at the start. The reference varies too much
 * between chips for volts, but a dip shows. */
bool supply_dipped(void);

#endif
