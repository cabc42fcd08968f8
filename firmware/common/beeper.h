/* A passive piezo on a timer's output. */
#ifndef BEEPER_H
#define BEEPER_H

#include <stdbool.h>
#include <stdint.h>

void beeper_start(void);

/* Sound a tone, 0 Hz: stop. Return false, without a change, unless it is 16 to 20,000 Hz. */
bool beeper_sound(uint16_t hertz, uint16_t ms);

/* Stop a tone after its time. */
void beeper_update(void);

#endif
