/* The board's side of the protocol: README.md says it byte by byte. */
#ifndef TALK_H
#define TALK_H

#include <stdint.h>

/* What a start was caused by. */
#define CAUSE_UNKNOWN 0
#define CAUSE_POWER 1
#define CAUSE_EXTERNAL 2
#define CAUSE_BROWN_OUT 4
#define CAUSE_WATCHDOG 8

/* Says BOOT. `restart` is called when the host asks for a RESET, and does not return. */
void protocol_start(uint8_t cause, void (*restart)(void));

/* All that must never wait: the host, the contacts, the heartbeat. Called between the slots of a scan as well. */
void protocol_poll(void);

/* All that may take long, one thing at a time. Only from the main loop. */
void protocol_run(void);

#endif
