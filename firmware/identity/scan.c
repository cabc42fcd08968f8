#include "scan.h"

#include <avr/wdt.h>
#include <string.h>

#include "clock.h"
#include "hardware.h"
#include "antenna.h"
#include "tags.h"

#if HAS_READER

#define MOST_MASKS 32
#define SETTLE_US 1600 /* according to TI */
#define MOST_TIMEOUTS 3
#define ROUND_MS 24    /* 16 slots with answers of two tags each, */
#define SLOT_MS 5      /* at most one slot, */
#define CALL_MS 16     /* and a tag called by both its names */
#define SHORT_NAME 16  /* bits that distinguish a tag from most others; sending a byte takes 0.3 ms */

/* Strength of the own carrier on an intact loop. Unproven: to be measured on the first real loop. */
#define LEAST_LEVEL 2
#define MOST_LEVEL 6

static struct mask masks[MOST_MASKS];
static uint8_t depth, masked; /* the loop of the masks */
static bool stopped;
static uint32_t since;
static uint16_t most; /* time limit in ms, 0: none */

enum round { ROUND_WHOLE, ROUND_BROKEN_OFF, ROUND_SILENT };

void scan_stop(void) {
    stopped = true;
}

/* Return whether something of this duration would end too late. */
static bool is_late(uint8_t ms) {
    return most && scan_elapsed() + ms > most;
}

static void settle(void (*poll)(void)) {
    uint16_t switched = clock_4us();
    while ((uint16_t)(clock_4us() - switched) < SETTLE_US / 4) {
        poll();
        clock_sleep();
    }
}

static void carrier_on(uint8_t loop, void (*poll)(void)) {
    antenna_select(loop);
    trf_carrier(true);
    settle(poll);
}

static void carrier_off(void) {
    trf_carrier(false);
    antenna_release();
}

/* At least two tags share these bits and the slot's four: request only those next. */
static void push(struct scan *scan, const struct mask *mask, uint8_t slot) {
    scan->collisions++;
    if (mask->bits > 56) {
        return; /* no two tags share this many bits: it was noise */
    }
    if (depth == MOST_MASKS) {
        scan->overfull = true;
        return;
    }
    struct mask *longer = &masks[depth++];
    *longer = *mask;
    longer->value[mask->bits / 8] |= slot << mask->bits % 8;
    longer->bits += 4;
}

/* One round of 16 slots. */
static enum round ask(struct scan *scan, uint8_t loop, const struct mask *mask, void (*poll)(void)) {
    struct answer answer;
    wdt_reset();
    scan->rounds++;
    trf_inventory(scan->afi, mask);
    enum outcome outcome = SLOT_EMPTY;
    for (uint8_t slot = 0; slot < 16; slot++) {
        if (stopped || (slot && is_late(SLOT_MS))) {
            return ROUND_BROKEN_OFF;
        }
        if (slot) {
            trf_next_slot(outcome == SLOT_EMPTY);
        }
        outcome = trf_await(&answer, poll);
        switch (outcome) {
        case SLOT_TAG:
            if (!tags_add(&answer, loop)) {
                scan->overfull = true;
            }
            break;
        case SLOT_COLLISION:
            push(scan, mask, slot);
            break;
        case SLOT_SILENT:
            if (++scan->timeouts >= MOST_TIMEOUTS) {
                return ROUND_SILENT;
            }
            break;
        case SLOT_EMPTY:
            break;
        }
    }
    return ROUND_WHOLE;
}

/* An interrupted round is repeated when the loop continues; tags found in it stay. */
static enum ending ask_loop(struct scan *scan, uint8_t loop, void (*poll)(void)) {
    if (!depth || masked != loop) {
        const struct mask all = {0, {0}};
        masks[0] = all;
        depth = 1;
        masked = loop;
    }
    carrier_on(loop, poll);
    enum round round = ROUND_WHOLE;
    while (depth && round == ROUND_WHOLE && !stopped && !is_late(ROUND_MS)) {
        uint8_t left = depth - 1;
        struct mask mask = masks[left];
        depth = left;
        round = ask(scan, loop, &mask, poll);
        if (round == ROUND_BROKEN_OFF) {
            masks[left] = mask;
            depth = left + 1;
        }
    }
    carrier_off();
    if (round == ROUND_SILENT) {
        return SCAN_READER_SILENT;
    }
    if (stopped) {
        return SCAN_STOPPED;
    }
    return depth ? SCAN_UNFINISHED : SCAN_WHOLE;
}

void scan_continue(struct scan *scan) {
    since = clock_ms();
    scan->rounds = scan->collisions = scan->timeouts = scan->overfull = 0;
    stopped = false;
}

void scan_begin(struct scan *scan, uint16_t most_ms) {
    scan_continue(scan);
    most = most_ms;
    depth = 0;
    tags_clear();
}

uint16_t scan_elapsed(void) {
    return (uint16_t)(clock_ms() - since);
}

enum ending scan_sweep(struct scan *scan, uint32_t loops, void (*poll)(void)) {
    for (uint8_t loop = 0; loop < LOOP_OUTPUTS; loop++) {
        if (!(loops >> loop & 1)) {
            continue;
        }
        enum ending ending = ask_loop(scan, loop, poll);
        if (ending != SCAN_WHOLE) {
            return ending;
        }
    }
    return SCAN_WHOLE;
}

enum ending scan_run(struct scan *scan, void (*poll)(void)) {
    scan_begin(scan, 0);
    enum ending ending = scan_sweep(scan, scan->loops, poll);
    scan->ms = scan_elapsed();
    return ending;
}

/* Call one tag by the first bits of its id; return false if the answer does not decide whether it
 * is there. */
static bool call(struct scan *scan, uint8_t loop, const uint8_t uid[UID_BYTES], uint8_t bits, void (*poll)(void)) {
    struct mask mask = {bits, {0}};
    memcpy(mask.value, uid, bits / 8);
    struct answer answer;
    wdt_reset();
    scan->rounds++;
    trf_single_slot(&mask);
    switch (trf_await(&answer, poll)) {
    case SLOT_EMPTY:
        return true;
    case SLOT_TAG:
        if (memcmp(answer.uid, uid, UID_BYTES) != 0) {
            return false;
        }
        if (!tags_add(&answer, loop)) {
            scan->overfull = true;
        }
        return true;
    case SLOT_COLLISION:
        scan->collisions++;
        return false;
    case SLOT_SILENT:
        scan->timeouts++;
        return false;
    }
    return false;
}

enum ending scan_search(struct scan *scan, uint32_t loops, const uint8_t (*uids)[UID_BYTES], uint8_t count,
                        void (*poll)(void)) {
    for (uint8_t loop = 0; loop < LOOP_OUTPUTS; loop++) {
        if (!(loops >> loop & 1)) {
            continue;
        }
        carrier_on(loop, poll);
        bool late = false;
        for (uint8_t i = 0; i < count && !stopped && !late && scan->timeouts < MOST_TIMEOUTS; i++) {
            late = is_late(CALL_MS);
            if (!late && !call(scan, loop, uids[i], SHORT_NAME, poll)) {
                call(scan, loop, uids[i], 8 * UID_BYTES, poll);
            }
        }
        carrier_off();
        if (scan->timeouts >= MOST_TIMEOUTS) {
            return SCAN_READER_SILENT;
        }
        if (stopped) {
            return SCAN_STOPPED;
        }
        if (late) {
            return SCAN_UNFINISHED;
        }
    }
    return SCAN_WHOLE;
}

uint32_t scan_open_loops(uint32_t loops, void (*poll)(void)) {
    uint32_t open = 0;
    stopped = false;
    for (uint8_t loop = 0; loop < LOOP_OUTPUTS && !stopped; loop++) {
        if (!(loops >> loop & 1)) {
            continue;
        }
        wdt_reset();
        carrier_on(loop, poll);
        uint8_t level = trf_level();
        carrier_off();
        if (level < LEAST_LEVEL || level > MOST_LEVEL) {
            open |= 1UL << loop;
        }
    }
    return open;
}

bool scan_write_afi(const uint8_t uid[UID_BYTES], uint8_t afi, uint32_t loops, void (*poll)(void)) {
    bool done = false;
    stopped = false;
    for (uint8_t loop = 0; loop < LOOP_OUTPUTS && !done && !stopped; loop++) {
        if (loops >> loop & 1) {
            wdt_reset();
            carrier_on(loop, poll);
            done = trf_write_afi(uid, afi, poll);
            carrier_off();
        }
    }
    return done;
}

#endif
