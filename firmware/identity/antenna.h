/* Select the loop that carries the reader's field: four TPIC6B595, at most one output on. */
#ifndef ANTENNA_H
#define ANTENNA_H

#include <stdint.h>

void antenna_start(void);
void antenna_select(uint8_t loop);

/* No loop. */
void antenna_release(void);

#endif
