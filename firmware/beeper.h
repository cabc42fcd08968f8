/* A passive piezo on a timer's output. */
#ifndef BEEPER_H
#define BEEPER_H

#include <stdbool.h>
#include <stdint.h>

void beeper_start(void);

/* Sounds a tone, or ends it with 0 Hz; false, and nothing changed, for a tone out of 16 to 20,000 Hz. */
bool beeper_sound(uint16_t hertz, uint16_t ms);

/* Ends a tone whose time is over. */
void beeper_rest(void);

#endif
