/* What the host wants to know of tags: one scan at a time, each of which may take seconds. */
#ifndef JOBS_H
#define JOBS_H

#include <stdbool.h>
#include <stdint.h>

#include "message.h"
#include "settings.h"

/* `serve` is called between the slots of a scan. */
void jobs_start(const struct geometry *geometry, void (*serve)(void));

/* Takes a SCAN, CAL, WATCH or TAG_WRITE_AFI; false for any other request. */
bool jobs_take(const struct request *request);

/* A host begins anew: nothing that was asked before is answered. A silent reader is tried again, up to 25 ms long,
 * and the loops will be tested. */
void jobs_forget(void);

/* Does what is next. */
void jobs_work(void);

bool jobs_reader_heard(void);

/* The number and the CRC-32 of the last scan that was sent; 0 if there was none. */
uint16_t jobs_scan(void);
uint32_t jobs_scan_crc(void);

#endif
