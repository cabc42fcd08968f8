/* Scan tags for the host: one scan at a time, which may take seconds. */
#ifndef JOBS_H
#define JOBS_H

#include <stdbool.h>
#include <stdint.h>

#include "message.h"
#include "settings.h"

/* `serve` is called between the slots of a scan. */
void jobs_start(const struct geometry *geometry, void (*serve)(void));

/* Handle SCAN, CAL, WATCH or TAG_WRITE_AFI; return false for any other request. */
bool jobs_handle(const struct request *request);

/* Drop all requests: the host has restarted. Retry a silent reader, which takes up to 25 ms, and
 * test the loops again. */
void jobs_reset(void);

/* Run the next step. */
void jobs_step(void);

bool jobs_reader_responds(void);

/* Number and CRC-32 of the last scan sent; 0 without one. */
uint16_t jobs_scan(void);
uint32_t jobs_scan_crc(void);

#endif
