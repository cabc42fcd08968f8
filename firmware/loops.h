/* Which loop carries the reader's field: four 74HC595, one output hot at most. */
#ifndef LOOPS_H
#define LOOPS_H

#include <stdint.h>

void loops_start(void);
void loops_select(uint8_t loop);

/* No loop at all. */
void loops_release(void);

#endif
