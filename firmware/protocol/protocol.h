/* The board's side of the protocol; README.md describes it byte by byte. */
#ifndef PROTOCOL_H
#define PROTOCOL_H

#include <stdint.h>

/* Causes of a start. */
#define CAUSE_UNKNOWN 0
#define CAUSE_POWER 1
#define CAUSE_EXTERNAL 2
#define CAUSE_BROWN_OUT 4
#define CAUSE_WATCHDOG 8

/* Send BOOT. `restart` is called for a RESET, and does not return. */
void protocol_start(uint8_t cause, void (*restart)(void));

/* Serve everything that must not wait: host, contacts, heartbeat. Also called between the slots of
 * a scan. */
void protocol_poll(void);

/* Run a step of the long jobs. Only from the main loop. */
void protocol_run(void);

#endif
