/* The TRF7970A, ISO 15693 at the high data rate with one subcarrier. Register numbers are TI's (SLOS743). */
#ifndef TRF7970A_H
#define TRF7970A_H

#include <stdbool.h>
#include <stdint.h>

#define UID_BYTES 8

/* The part of a tag's number that an inventory requests: its lowest `bits` bits. */
struct mask {
    uint8_t bits;
    uint8_t value[UID_BYTES];
};

enum outcome {
    SLOT_EMPTY,
    SLOT_TAG,
    SLOT_COLLISION, /* more than one answer, or a damaged one */
    SLOT_SILENT,    /* the reader did not respond */
};

struct answer {
    uint8_t uid[UID_BYTES];
    uint8_t strength; /* 1 to 8: the reader's RSSI plus one */
};

/* Switch off pins and chip. */
void trf_start(void);

/* Wake the chip and test whether it responds, by its registers and by one transmission. Takes up
 * to 25 ms. */
bool trf_wake(void);

void trf_carrier(bool on);

/* Return the strength of the reader's own carrier, 0 to 7: too low or too high on an open or
 * detuned loop. */
uint8_t trf_level(void);

/* Start 16 slots for the tags of a class (0: all) whose numbers end so. Next: await the first
 * slot's answer. */
void trf_inventory(uint8_t afi, const struct mask *mask);

/* Request all tags whose numbers end so in a single slot. Next: await its answer. */
void trf_single_slot(const struct mask *mask);

/* Start the next slot, after an answer or, sooner, after silence. */
void trf_next_slot(bool held_nothing);

/* Wait for the slot's result, calling `poll` repeatedly. */
enum outcome trf_await(struct answer *answer, void (*poll)(void));

/* Write a tag's class; return true if the tag confirms it. */
bool trf_write_afi(const uint8_t uid[UID_BYTES], uint8_t afi, void (*poll)(void));

#endif
