/* Milliseconds since the start. */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>

void clock_start(void);
uint32_t clock_ms(void);

/* The same modulo 65,536: differences up to a minute may be taken of it. */
uint16_t clock_ms16(void);

/* In steps of 4 µs, modulo 262 ms. */
uint16_t clock_4us(void);

/* Sleeps until any interrupt comes, at most 16 µs: a processor at rest is a quiet neighbour for the radio. */
void clock_nap(void);

#endif
