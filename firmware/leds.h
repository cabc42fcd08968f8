/* A strip of APA102 behind a gate on the SPI. */
#ifndef LAMPS_H
#define LAMPS_H

#include <stdbool.h>
#include <stdint.h>

void leds_start(void);

/* Keeps the colours of `count` lamps from `first` on; false, and nothing kept, beyond the last lamp. */
bool leds_set(uint8_t first, uint8_t count, const uint8_t *rgb);

/* Sends what has changed to the strip. Never while the radio is on: the current would be heard in it. */
void leds_show(void);

#endif
