/* A strip of APA102 lamps behind a gate on the SPI. */
#ifndef LEDS_H
#define LEDS_H

#include <stdbool.h>
#include <stdint.h>

void leds_start(void);

/* Store the colours of `count` lamps from `first` on; return false, without a change, beyond the
 * last lamp. */
bool leds_set(uint8_t first, uint8_t count, const uint8_t *rgb);

/* Send changes to the strip. Not while the radio is on: the current would disturb reception. */
void leds_show(void);

#endif
