/* Asks loop after loop for all tags of a class. */
#ifndef SCAN_H
#define SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "trf7970a.h"

struct scan {
    uint8_t afi; /* 0: every class */
    uint32_t loops;
    /* What it came to. */
    uint16_t ms, rounds, collisions;
    uint8_t timeouts;
    bool overfull; /* a tag or a collision was left out for want of room */
};

/* Unfinished: its time was over before all was heard. */
enum ending { SCAN_WHOLE, SCAN_UNFINISHED, SCAN_STOPPED, SCAN_READER_SILENT };

/* Fills the table of tags; serves `meanwhile` all the time and stops soon after `scan_stop`. Feeds the watchdog. */
enum ending scan_run(struct scan *scan, void (*meanwhile)(void));
void scan_stop(void);

/* The same in pieces. Starts a scan: clears the table, sets the time limit in ms (0: none); */
void scan_begin(struct scan *scan, uint16_t most_ms);
/* or, behind an unfinished one, the table as it is and the same time anew, */
void scan_go_on(struct scan *scan);
/* then all tags of the class on some loops; behind an unfinished one the loop that was broken off is finished, */
enum ending scan_sweep(struct scan *scan, uint32_t loops, void (*meanwhile)(void));
/* or these tags alone, one after the other, which is shorter for a few; */
enum ending scan_search(struct scan *scan, uint32_t loops, const uint8_t (*uids)[UID_BYTES], uint8_t count,
                        void (*meanwhile)(void));
/* and how long it has taken so far. */
uint16_t scan_elapsed(void);

/* The loops, a bit each, on which the reader does not hear its own carrier as it should. */
uint32_t scan_open_loops(uint32_t loops, void (*meanwhile)(void));

/* Writes a tag's class on the first of the loops on which it answers; false if it does on none. */
bool scan_write_afi(const uint8_t uid[UID_BYTES], uint8_t afi, uint32_t loops, void (*meanwhile)(void));

#endif
