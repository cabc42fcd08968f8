/* Milliseconds since the start. */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>

void clock_start(void);
uint32_t clock_ms(void);

/* The same modulo 65,536, for differences of up to a minute. */
uint16_t clock_ms16(void);

/* In steps of 4 µs, modulo 262 ms. */
uint16_t clock_4us(void);

/* Sleep until any interrupt, at most 16 µs: an idle processor disturbs the radio less. */
void clock_sleep(void);

#endif
