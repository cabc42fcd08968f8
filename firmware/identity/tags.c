#include "tags.h"

#include <string.h>

#include "hardware.h"

#if HAS_READER

static struct record table[MOST_TAGS];
static uint8_t count;

void tags_clear(void) {
    count = 0;
}

/* Return the index of the first record not before this number. */
static uint8_t place_of(const uint8_t uid[UID_BYTES]) {
    uint8_t low = 0, high = count;
    while (low < high) {
        uint8_t middle = (low + high) / 2;
        if (memcmp(table[middle].uid, uid, UID_BYTES) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

bool tags_add(const struct answer *answer, uint8_t loop) {
    uint8_t at = place_of(answer->uid);
    if (at == count || memcmp(table[at].uid, answer->uid, UID_BYTES) != 0) {
        if (count == MOST_TAGS) {
            return false;
        }
        memmove(&table[at + 1], &table[at], (count - at) * sizeof *table);
        memcpy(table[at].uid, answer->uid, UID_BYTES);
        memset(table[at].strengths, 0, STRENGTH_BYTES);
        count++;
    }
    uint8_t shift = loop % 2 * 4, *pair = &table[at].strengths[loop / 2];
    if ((*pair >> shift & 15) < answer->strength) {
        *pair = (uint8_t)((*pair & ~(15 << shift)) | answer->strength << shift);
    }
    return true;
}

void tags_put(const struct record *records, uint8_t number) {
    memcpy(table, records, number * sizeof *table);
    count = number;
}

uint8_t tags_count(void) {
    return count;
}

const struct record *tags_record(uint8_t index) {
    return &table[index];
}

#endif
