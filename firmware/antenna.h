/* Which loop carries the reader's field: four TPIC6B595, one output hot at most. */
#ifndef LOOPS_H
#define LOOPS_H

#include <stdint.h>

void antenna_start(void);
void antenna_select(uint8_t loop);

/* No loop at all. */
void antenna_release(void);

#endif
