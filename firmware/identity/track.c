#include "track.h"

#include <string.h>

#include "hardware.h"
#include "tags.h"

#if HAS_READER

#define MOST_FOLLOWED 24
#define MOST_MS 392    /* ms after which a scan ends, finished or not */
#define LONGEST_MS 355 /* ms planned for a scan at most */
#define MOST_IDLE 2    /* consecutive scans that only search */
#define LOOP_MS 3      /* ms to switch to a loop */
#define SEARCH_MS 5    /* ms to call one tag on it */
#define JITTER 1       /* steps by which a resting tag's strength may vary */

static struct {
    bool is_complete, postponed;    /* the last scan left its search to this one */
    uint8_t idle;             /* scans that only searched */
    uint8_t afi, count, next; /* the next loop */
    struct record records[MOST_FOLLOWED];
    bool changed[MOST_FOLLOWED]; /* differed in the last scan */
} known;

/* One pass over all tags: one scan, or several of which only the last one finishes. */
static struct {
    bool unfinished;         /* the next scan continues it */
    bool turned, idle;       /* the sweep is over and only the search is left; the pass swept no loop */
    bool overfull;
    uint8_t afi, left, next; /* loops left to sweep, starting with the next */
    uint8_t broken_off;      /* the loop that the last scan interrupted */
    uint32_t swept, searched;
} pass;

static const struct record silent;              /* a tag received on no loop */
static uint8_t sweep_ms[LOOP_OUTPUTS];              /* ms of the last sweep */
static uint8_t moved[MOST_FOLLOWED][UID_BYTES]; /* tags to read on the other loops as well */

static uint8_t strength(const struct record *record, uint8_t loop) {
    return record->strengths[loop / 2] >> loop % 2 * 4 & 15;
}

static bool alike(const struct record *a, const struct record *b, uint32_t loops) {
    for (uint8_t loop = 0; loops; loop++, loops >>= 1) {
        if (loops & 1) {
            int8_t before = strength(a, loop), now = strength(b, loop);
            if (!before != !now || before - now > JITTER || now - before > JITTER) {
                return false;
            }
        }
    }
    return true;
}

static uint8_t tracked(const uint8_t uid[UID_BYTES]) {
    uint8_t at = 0;
    while (at < known.count && memcmp(known.records[at].uid, uid, UID_BYTES) != 0) {
        at++;
    }
    return at;
}

static const struct record *record_of(const uint8_t uid[UID_BYTES]) {
    for (uint8_t i = 0; i < tags_count(); i++) {
        if (memcmp(tags_record(i)->uid, uid, UID_BYTES) == 0) {
            return tags_record(i);
        }
    }
    return &silent;
}

static bool is_unchanged(uint8_t at, uint32_t swept) {
    return !known.changed[at] && alike(&known.records[at], record_of(known.records[at].uid), swept);
}

static void add_moved(const uint8_t uid[UID_BYTES], uint8_t *count) {
    if (*count < MOST_FOLLOWED) {
        memcpy(moved[*count], uid, UID_BYTES);
    }
    (*count)++;
}

/* Collect the tags to read on the other loops as well: those that differ, and new ones; return
 * their number. */
static uint8_t find_moved(uint32_t swept) {
    uint8_t count = 0;
    for (uint8_t at = 0; at < known.count; at++) {
        if (!is_unchanged(at, swept)) {
            add_moved(known.records[at].uid, &count);
        }
    }
    for (uint8_t i = 0; i < tags_count(); i++) {
        if (tracked(tags_record(i)->uid) == known.count) {
            add_moved(tags_record(i)->uid, &count);
        }
    }
    return count;
}

/* Copy resting tags' strengths on the other loops. */
static void fill_in(uint32_t swept, uint32_t others) {
    for (uint8_t at = 0; at < known.count; at++) {
        if (!is_unchanged(at, swept)) {
            continue;
        }
        const struct record *before = &known.records[at];
        for (uint8_t loop = 0; loop < LOOP_OUTPUTS; loop++) {
            if (others >> loop & 1 && strength(before, loop)) {
                struct answer answer = {.strength = strength(before, loop)};
                memcpy(answer.uid, before->uid, UID_BYTES);
                tags_add(&answer, loop);
            }
        }
    }
}

static void store_records(uint8_t afi, uint32_t centred) {
    bool changed[MOST_FOLLOWED];
    uint8_t count = tags_count();
    known.is_complete = count <= MOST_FOLLOWED;
    if (!known.is_complete) {
        return;
    }
    for (uint8_t i = 0; i < count; i++) {
        uint8_t at = tracked(tags_record(i)->uid);
        changed[i] = at == known.count || !alike(&known.records[at], tags_record(i), centred);
    }
    memcpy(known.changed, changed, count);
    memcpy(known.records, tags_record(0), count * sizeof(struct record));
    known.count = count;
    known.afi = afi;
}

void track_abort(void) {
    pass.unfinished = false;
}

void track_reset(void) {
    known.is_complete = false;
    track_abort();
}

static uint8_t number_of(uint32_t loops) {
    uint8_t number = 0;
    for (; loops; loops &= loops - 1) {
        number++;
    }
    return number;
}

/* Return the loops on which a sweep is faster than calling `count` tags; `ms`: the shortest time
 * for all. */
static uint32_t plan(uint32_t loops, uint8_t count, uint16_t *ms) {
    uint32_t swept = 0;
    uint16_t calling = count ? LOOP_MS + count * SEARCH_MS : 0;
    *ms = 0;
    for (uint8_t loop = 0; loop < LOOP_OUTPUTS; loop++) {
        if (!(loops >> loop & 1)) {
            continue;
        }
        if (sweep_ms[loop] < calling || count > MOST_FOLLOWED) {
            swept |= 1UL << loop;
            *ms += sweep_ms[loop];
        } else {
            *ms += calling;
        }
    }
    return swept;
}

static enum ending sweep(struct scan *scan, uint32_t loops, void (*poll)(void)) {
    enum ending ending = SCAN_WHOLE;
    for (uint8_t loop = 0; loops && ending == SCAN_WHOLE; loop++, loops >>= 1) {
        if (loops & 1) {
            uint16_t since = scan_elapsed(), before = pass.broken_off == loop ? sweep_ms[loop] : 0;
            ending = scan_sweep(scan, 1UL << loop, poll);
            uint16_t ms = before + scan_elapsed() - since;
            sweep_ms[loop] = ms < UINT8_MAX ? (uint8_t)ms : UINT8_MAX;
            pass.broken_off = ending == SCAN_WHOLE ? LOOP_OUTPUTS : loop;
            if (ending == SCAN_WHOLE) {
                pass.swept |= 1UL << loop;
            }
        }
    }
    return ending;
}

/* Return whether one more loop would take too long, with the search for tags moved so far and one
 * more. */
static bool is_long(uint8_t loop, uint32_t swept, uint32_t others) {
    uint16_t search;
    uint8_t count = find_moved(swept);
    if (!swept && (!count || known.idle == MOST_IDLE)) {
        return false;
    }
    plan(others & ~(1UL << loop), count + 1, &search);
    return scan_elapsed() + sweep_ms[loop] + search > LONGEST_MS;
}

/* Sweep an axis's number of loops, from the next on, or fewer if that takes too long. */
static enum ending sweep_turn(struct scan *scan, uint32_t centred, void (*poll)(void)) {
    for (; pass.left; pass.next = (pass.next + 1) % LOOP_OUTPUTS) {
        if (!(centred >> pass.next & 1)) {
            continue;
        }
        if (known.is_complete && is_long(pass.next, pass.swept, centred & ~pass.swept)) {
            break;
        }
        enum ending ending = sweep(scan, 1UL << pass.next, poll);
        if (ending != SCAN_WHOLE) {
            return ending;
        }
        pass.left--;
        pass.idle = false;
    }
    return SCAN_WHOLE;
}

static enum ending search(struct scan *scan, uint32_t loops, uint8_t count, void (*poll)(void)) {
    enum ending ending = SCAN_WHOLE;
    for (uint8_t loop = 0; loops && ending == SCAN_WHOLE; loop++, loops >>= 1) {
        if (loops & 1) {
            ending = scan_search(scan, 1UL << loop, moved, count, poll);
            if (ending == SCAN_WHOLE) {
                pass.searched |= 1UL << loop;
            }
        }
    }
    return ending;
}

/* Read moved tags on the other loops, in the faster way on each of them. */
static enum ending search_others(struct scan *scan, uint32_t centred, void (*poll)(void)) {
    for (;;) {
        uint16_t ms;
        uint32_t others = centred & ~pass.swept & ~pass.searched;
        uint8_t count = find_moved(pass.swept);
        uint32_t shorter = plan(others, count, &ms);
        if (!shorter) {
            fill_in(pass.swept, others);
            return count ? search(scan, others, count, poll) : SCAN_WHOLE;
        }
        enum ending ending = sweep(scan, shorter, poll);
        if (ending != SCAN_WHOLE) {
            return ending;
        }
    }
}

/* Return whether more tags moved than there is time to search for. Those that moved before are
 * always searched for: the host takes two equal scans as two readings. */
static bool exceeds_limit(uint32_t swept, uint32_t others) {
    uint16_t search;
    plan(others, find_moved(swept), &search);
    return known.is_complete && !known.postponed && !find_moved(0) && scan_elapsed() + search > LONGEST_MS;
}

/* Report everything as before; the next scan begins with the search. */
static void postpone(uint32_t swept) {
    bool changed[MOST_FOLLOWED];
    for (uint8_t at = 0; at < known.count; at++) {
        changed[at] = !is_unchanged(at, swept);
    }
    memcpy(known.changed, changed, known.count);
    tags_put(known.records, known.count);
    known.postponed = true;
}

static void begin_pass(struct scan *scan, const struct geometry *geometry) {
    if (!known.is_complete || known.afi != scan->afi) {
        known.is_complete = known.postponed = false;
        known.count = known.idle = 0;
    }
    memset(&pass, 0, sizeof pass);
    pass.idle = true;
    pass.afi = scan->afi;
    pass.broken_off = LOOP_OUTPUTS;
    pass.left = number_of(known.is_complete ? geometry->axes[0] : geometry->centred);
    pass.next = known.next;
    scan_begin(scan, MOST_MS);
}

enum ending track_run(struct scan *scan, const struct geometry *geometry, void (*poll)(void)) {
    if (pass.unfinished && pass.afi == scan->afi) {
        scan_continue(scan);
    } else {
        begin_pass(scan, geometry);
    }
    enum ending ending = pass.turned ? SCAN_WHOLE : sweep_turn(scan, geometry->centred, poll);
    bool too_much = ending == SCAN_WHOLE && !pass.turned && exceeds_limit(pass.swept, geometry->centred & ~pass.swept);
    pass.turned = ending == SCAN_WHOLE;
    if (too_much) {
        postpone(pass.swept);
    } else if (ending == SCAN_WHOLE) {
        ending = search_others(scan, geometry->centred, poll);
    }
    scan->ms = scan_elapsed();
    scan->overfull = pass.overfull = pass.overfull || scan->overfull;
    pass.unfinished = ending == SCAN_UNFINISHED;
    if (ending == SCAN_WHOLE && !too_much) {
        store_records(scan->afi, geometry->centred);
        known.next = pass.next;
        known.idle = pass.idle ? known.idle + 1 : 0;
        known.postponed = false;
    }
    return ending;
}

#endif
