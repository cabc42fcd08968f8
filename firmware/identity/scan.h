/* Scan loops one after the other for all tags of a class. */
#ifndef SCAN_H
#define SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "trf7970a.h"

struct scan {
    uint8_t afi; /* 0: every class */
    uint32_t loops;
    /* Result of a scan. */
    uint16_t ms, rounds, collisions;
    uint8_t timeouts;
    bool overfull; /* a tag or a collision was dropped for lack of space */
};

/* Unfinished: the time limit ended it. */
enum ending { SCAN_WHOLE, SCAN_UNFINISHED, SCAN_STOPPED, SCAN_READER_SILENT };

/* Fill the table of tags. Calls `poll` repeatedly, stops soon after `scan_stop`, and resets
 * the watchdog. */
enum ending scan_run(struct scan *scan, void (*poll)(void));
void scan_stop(void);

/* The same in steps. Start a scan: clear the table, set the time limit in ms (0: none). */
void scan_begin(struct scan *scan, uint16_t most_ms);
/* Or continue an unfinished one: keep the table, restart the time limit. */
void scan_continue(struct scan *scan);
/* Scan loops for all tags of the class; finishes an interrupted loop first. */
enum ending scan_sweep(struct scan *scan, uint32_t loops, void (*poll)(void));
/* Call only these tags, one after the other, which is faster for a few. */
enum ending scan_search(struct scan *scan, uint32_t loops, const uint8_t (*uids)[UID_BYTES], uint8_t count,
                        void (*poll)(void));
/* Milliseconds since the start. */
uint16_t scan_elapsed(void);

/* Bit mask of the loops on which the reader does not receive its own carrier properly. */
uint32_t scan_open_loops(uint32_t loops, void (*poll)(void));

/* Write a tag's class on the first loop on which it answers; return false if it answers on none. */
bool scan_write_afi(const uint8_t uid[UID_BYTES], uint8_t afi, uint32_t loops, void (*poll)(void));

#endif
