#include "follow.h"

#include <string.h>

#include "hardware.h"
#include "tags.h"

#if HAS_READER

#define MOST_FOLLOWED 24
#define SEARCH_MS 25 /* for one tag on the loops of the other axes; the sweep's own time tells when that is too long */
#define JITTER 1     /* steps by which a tag that rests may be heard otherwise */

static struct {
    bool known;
    uint8_t afi, count, axis; /* the axis that is next */
    struct record records[MOST_FOLLOWED];
    bool restless[MOST_FOLLOWED]; /* was heard otherwise in the last scan */
} book;

static uint8_t moved[MOST_FOLLOWED][UID_BYTES]; /* what is to be heard on the other axes as well */

static uint8_t strength(const struct record *record, uint8_t loop) {
    return record->strengths[loop / 2] >> loop % 2 * 4 & 15;
}

static bool alike(const struct record *a, const struct record *b, uint32_t loops) {
    for (uint8_t loop = 0; loop < LOOP_OUTPUTS; loop++) {
        if (loops >> loop & 1) {
            int8_t before = strength(a, loop), now = strength(b, loop);
            if (!before != !now || before - now > JITTER || now - before > JITTER) {
                return false;
            }
        }
    }
    return true;
}

static uint8_t followed(const uint8_t uid[UID_BYTES]) {
    uint8_t at = 0;
    while (at < book.count && memcmp(book.records[at].uid, uid, UID_BYTES) != 0) {
        at++;
    }
    return at;
}

static bool heard_again(const uint8_t uid[UID_BYTES]) {
    for (uint8_t i = 0; i < tags_count(); i++) {
        if (memcmp(tags_record(i)->uid, uid, UID_BYTES) == 0) {
            return true;
        }
    }
    return false;
}

static bool rests(const struct record *record, uint32_t swept) {
    uint8_t at = followed(record->uid);
    return at < book.count && !book.restless[at] && alike(&book.records[at], record, swept);
}

static void add_moved(const uint8_t uid[UID_BYTES], uint8_t *count) {
    if (*count < MOST_FOLLOWED) {
        memcpy(moved[*count], uid, UID_BYTES);
    }
    (*count)++;
}

/* How many tags must be heard on the other axes as well: those that are heard otherwise, and those that are not heard. */
static uint8_t find_moved(uint32_t swept) {
    uint8_t count = 0;
    for (uint8_t i = 0; i < tags_count(); i++) {
        if (!rests(tags_record(i), swept)) {
            add_moved(tags_record(i)->uid, &count);
        }
    }
    for (uint8_t i = 0; i < book.count; i++) {
        if (!heard_again(book.records[i].uid)) {
            add_moved(book.records[i].uid, &count);
        }
    }
    return count;
}

/* What rests is on the other axes as it was. */
static void fill_in(uint32_t swept, uint32_t others) {
    for (uint8_t i = 0; i < tags_count(); i++) {
        const struct record *record = tags_record(i);
        if (rests(record, swept)) {
            const struct record *before = &book.records[followed(record->uid)];
            for (uint8_t loop = 0; loop < LOOP_OUTPUTS; loop++) {
                if (others >> loop & 1 && strength(before, loop)) {
                    struct answer answer = {.strength = strength(before, loop)};
                    memcpy(answer.uid, record->uid, UID_BYTES);
                    tags_heard(&answer, loop);
                }
            }
        }
    }
}

static void remember(uint8_t afi, uint32_t centred) {
    bool restless[MOST_FOLLOWED];
    uint8_t count = tags_count();
    book.known = count <= MOST_FOLLOWED;
    if (!book.known) {
        return;
    }
    for (uint8_t i = 0; i < count; i++) {
        uint8_t at = followed(tags_record(i)->uid);
        restless[i] = at == book.count || !alike(&book.records[at], tags_record(i), centred);
    }
    memcpy(book.restless, restless, count);
    memcpy(book.records, tags_record(0), count * sizeof(struct record));
    book.count = count;
    book.afi = afi;
}

void follow_forget(void) {
    book.known = false;
}

enum ending follow_run(struct scan *scan, const struct geometry *geometry, void (*meanwhile)(void)) {
    if (!book.known || book.afi != scan->afi) {
        book.known = false;
        book.count = 0;
    }
    uint32_t swept = book.known ? geometry->axes[book.axis] : geometry->centred, others = geometry->centred & ~swept;
    scan_begin(scan);
    enum ending ending = scan_sweep(scan, swept, meanwhile);
    if (ending == SCAN_WHOLE && others) {
        uint8_t count = find_moved(swept);
        if (count * SEARCH_MS > scan_elapsed() || count > MOST_FOLLOWED) {
            ending = scan_sweep(scan, others, meanwhile);
        } else {
            fill_in(swept, others);
            ending = count ? scan_search(scan, others, moved, count, meanwhile) : SCAN_WHOLE;
        }
    }
    scan->ms = scan_elapsed();
    if (ending == SCAN_WHOLE) {
        remember(scan->afi, geometry->centred);
        do {
            book.axis = (book.axis + 1) % MOST_AXES;
        } while (!geometry->axes[book.axis]);
    }
    return ending;
}

#endif
