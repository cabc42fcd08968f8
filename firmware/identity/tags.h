/* The tags found in a scan: number and strength on each loop, sorted by number. */
#ifndef TAGS_H
#define TAGS_H

#include <stdbool.h>
#include <stdint.h>

#include "trf7970a.h"

#define MOST_TAGS 90
#define STRENGTH_BYTES 13 /* 26 nibbles, the even loop in the low half */

struct record {
    uint8_t uid[UID_BYTES];
    uint8_t strengths[STRENGTH_BYTES];
};

void tags_clear(void);

/* Add a tag's answer on a loop; return false if the table is full. */
bool tags_add(const struct answer *answer, uint8_t loop);

/* Replace the table by these records, sorted by number. */
void tags_put(const struct record *records, uint8_t number);
uint8_t tags_count(void);
const struct record *tags_record(uint8_t index);

#endif
