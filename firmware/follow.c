#include "follow.h"

#include <string.h>

#include "hardware.h"
#include "tags.h"

#if HAS_READER

#define MOST_FOLLOWED 24
#define MOST_MS 392    /* after which a scan ends, whether it is finished or not, */
#define LONGEST_MS 355 /* and what it is planned to take at most */
#define MOST_IDLE 2    /* scans one after the other that only search */
#define LOOP_MS 3      /* to begin with a loop, */
#define SEARCH_MS 5    /* and to call one tag on it */
#define JITTER 1       /* steps by which a tag that rests may be heard otherwise */

static struct {
    bool known, postponed;    /* the last scan left the search to this one */
    uint8_t idle;             /* so many scans did nothing but search */
    uint8_t afi, count, next; /* the loop that is next */
    struct record records[MOST_FOLLOWED];
    bool restless[MOST_FOLLOWED]; /* was heard otherwise in the last scan */
} book;

/* One look at all tags: a scan, or several of which only the last is finished. */
static struct {
    bool unfinished;         /* the next scan goes on with it */
    bool turned, idle;       /* the turn is over, and what is left is the search; the turn swept no loop */
    bool overfull;
    uint8_t afi, left, next; /* so many loops of the turn are left, from the next on */
    uint8_t broken_off;      /* the loop in whose midst the last scan ended */
    uint32_t swept, searched;
} look;

static const struct record silent;              /* a tag that no loop hears */
static uint8_t took[LOOP_OUTPUTS];              /* ms, when it was last swept */
static uint8_t moved[MOST_FOLLOWED][UID_BYTES]; /* what is to be heard on the other loops as well */

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

static uint8_t followed(const uint8_t uid[UID_BYTES]) {
    uint8_t at = 0;
    while (at < book.count && memcmp(book.records[at].uid, uid, UID_BYTES) != 0) {
        at++;
    }
    return at;
}

static const struct record *heard(const uint8_t uid[UID_BYTES]) {
    for (uint8_t i = 0; i < tags_count(); i++) {
        if (memcmp(tags_record(i)->uid, uid, UID_BYTES) == 0) {
            return tags_record(i);
        }
    }
    return &silent;
}

static bool rests(uint8_t at, uint32_t swept) {
    return !book.restless[at] && alike(&book.records[at], heard(book.records[at].uid), swept);
}

static void add_moved(const uint8_t uid[UID_BYTES], uint8_t *count) {
    if (*count < MOST_FOLLOWED) {
        memcpy(moved[*count], uid, UID_BYTES);
    }
    (*count)++;
}

/* How many tags must be heard on the other loops as well: those that are heard otherwise than before, and new ones. */
static uint8_t find_moved(uint32_t swept) {
    uint8_t count = 0;
    for (uint8_t at = 0; at < book.count; at++) {
        if (!rests(at, swept)) {
            add_moved(book.records[at].uid, &count);
        }
    }
    for (uint8_t i = 0; i < tags_count(); i++) {
        if (followed(tags_record(i)->uid) == book.count) {
            add_moved(tags_record(i)->uid, &count);
        }
    }
    return count;
}

/* What rests is on the other loops as it was. */
static void fill_in(uint32_t swept, uint32_t others) {
    for (uint8_t at = 0; at < book.count; at++) {
        if (!rests(at, swept)) {
            continue;
        }
        const struct record *before = &book.records[at];
        for (uint8_t loop = 0; loop < LOOP_OUTPUTS; loop++) {
            if (others >> loop & 1 && strength(before, loop)) {
                struct answer answer = {.strength = strength(before, loop)};
                memcpy(answer.uid, before->uid, UID_BYTES);
                tags_heard(&answer, loop);
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

void follow_break_off(void) {
    look.unfinished = false;
}

void follow_forget(void) {
    book.known = false;
    follow_break_off();
}

static uint8_t number_of(uint32_t loops) {
    uint8_t number = 0;
    for (; loops; loops &= loops - 1) {
        number++;
    }
    return number;
}

/* On which of the loops a sweep is shorter than to call so many tags, and how long all of them take at best. */
static uint32_t plan(uint32_t loops, uint8_t count, uint16_t *ms) {
    uint32_t swept = 0;
    uint16_t calling = count ? LOOP_MS + count * SEARCH_MS : 0;
    *ms = 0;
    for (uint8_t loop = 0; loop < LOOP_OUTPUTS; loop++) {
        if (!(loops >> loop & 1)) {
            continue;
        }
        if (took[loop] < calling || count > MOST_FOLLOWED) {
            swept |= 1UL << loop;
            *ms += took[loop];
        } else {
            *ms += calling;
        }
    }
    return swept;
}

static enum ending sweep(struct scan *scan, uint32_t loops, void (*meanwhile)(void)) {
    enum ending ending = SCAN_WHOLE;
    for (uint8_t loop = 0; loops && ending == SCAN_WHOLE; loop++, loops >>= 1) {
        if (loops & 1) {
            uint16_t since = scan_elapsed(), before = look.broken_off == loop ? took[loop] : 0;
            ending = scan_sweep(scan, 1UL << loop, meanwhile);
            uint16_t ms = before + scan_elapsed() - since;
            took[loop] = ms < UINT8_MAX ? (uint8_t)ms : UINT8_MAX;
            look.broken_off = ending == SCAN_WHOLE ? LOOP_OUTPUTS : loop;
            if (ending == SCAN_WHOLE) {
                look.swept |= 1UL << loop;
            }
        }
    }
    return ending;
}

/* Whether one more loop would take too long, with the search for what has moved so far and for one tag more. */
static bool is_long(uint8_t loop, uint32_t swept, uint32_t others) {
    uint16_t search;
    uint8_t count = find_moved(swept);
    if (!swept && (!count || book.idle == MOST_IDLE)) {
        return false;
    }
    plan(others & ~(1UL << loop), count + 1, &search);
    return scan_elapsed() + took[loop] + search > LONGEST_MS;
}

/* Sweeps as many loops as an axis has, from the next on, or fewer where that would take too long. */
static enum ending sweep_turn(struct scan *scan, uint32_t centred, void (*meanwhile)(void)) {
    for (; look.left; look.next = (look.next + 1) % LOOP_OUTPUTS) {
        if (!(centred >> look.next & 1)) {
            continue;
        }
        if (book.known && is_long(look.next, look.swept, centred & ~look.swept)) {
            break;
        }
        enum ending ending = sweep(scan, 1UL << look.next, meanwhile);
        if (ending != SCAN_WHOLE) {
            return ending;
        }
        look.left--;
        look.idle = false;
    }
    return SCAN_WHOLE;
}

static enum ending search(struct scan *scan, uint32_t loops, uint8_t count, void (*meanwhile)(void)) {
    enum ending ending = SCAN_WHOLE;
    for (uint8_t loop = 0; loops && ending == SCAN_WHOLE; loop++, loops >>= 1) {
        if (loops & 1) {
            ending = scan_search(scan, 1UL << loop, moved, count, meanwhile);
            if (ending == SCAN_WHOLE) {
                look.searched |= 1UL << loop;
            }
        }
    }
    return ending;
}

/* Hears on the other loops what has moved, whichever way is shorter on each of them. */
static enum ending search_others(struct scan *scan, uint32_t centred, void (*meanwhile)(void)) {
    for (;;) {
        uint16_t ms;
        uint32_t others = centred & ~look.swept & ~look.searched;
        uint8_t count = find_moved(look.swept);
        uint32_t shorter = plan(others, count, &ms);
        if (!shorter) {
            fill_in(look.swept, others);
            return count ? search(scan, others, count, meanwhile) : SCAN_WHOLE;
        }
        enum ending ending = sweep(scan, shorter, meanwhile);
        if (ending != SCAN_WHOLE) {
            return ending;
        }
    }
}

/* Whether more have moved than there is time to search for. What moved before is always searched for: the host takes
 * two scans that agree as two hearings. */
static bool is_too_much(uint32_t swept, uint32_t others) {
    uint16_t search;
    plan(others, find_moved(swept), &search);
    return book.known && !book.postponed && !find_moved(0) && scan_elapsed() + search > LONGEST_MS;
}

/* All is told as it was before; the next scan begins with the search. */
static void postpone(uint32_t swept) {
    bool restless[MOST_FOLLOWED];
    for (uint8_t at = 0; at < book.count; at++) {
        restless[at] = !rests(at, swept);
    }
    memcpy(book.restless, restless, book.count);
    tags_put(book.records, book.count);
    book.postponed = true;
}

static void begin_look(struct scan *scan, const struct geometry *geometry) {
    if (!book.known || book.afi != scan->afi) {
        book.known = book.postponed = false;
        book.count = book.idle = 0;
    }
    memset(&look, 0, sizeof look);
    look.idle = true;
    look.afi = scan->afi;
    look.broken_off = LOOP_OUTPUTS;
    look.left = number_of(book.known ? geometry->axes[0] : geometry->centred);
    look.next = book.next;
    scan_begin(scan, MOST_MS);
}

enum ending follow_run(struct scan *scan, const struct geometry *geometry, void (*meanwhile)(void)) {
    if (look.unfinished && look.afi == scan->afi) {
        scan_go_on(scan);
    } else {
        begin_look(scan, geometry);
    }
    enum ending ending = look.turned ? SCAN_WHOLE : sweep_turn(scan, geometry->centred, meanwhile);
    bool too_much = ending == SCAN_WHOLE && !look.turned && is_too_much(look.swept, geometry->centred & ~look.swept);
    look.turned = ending == SCAN_WHOLE;
    if (too_much) {
        postpone(look.swept);
    } else if (ending == SCAN_WHOLE) {
        ending = search_others(scan, geometry->centred, meanwhile);
    }
    scan->ms = scan_elapsed();
    scan->overfull = look.overfull = look.overfull || scan->overfull;
    look.unfinished = ending == SCAN_UNFINISHED;
    if (ending == SCAN_WHOLE && !too_much) {
        remember(scan->afi, geometry->centred);
        book.next = look.next;
        book.idle = look.idle ? book.idle + 1 : 0;
        book.postponed = false;
    }
    return ending;
}

#endif
