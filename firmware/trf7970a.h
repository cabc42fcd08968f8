/* The TRF7970A, ISO 15693 at the high data rate with one subcarrier. Register numbers are TI's (SLOS743). */
#ifndef READER_H
#define READER_H

#include <stdbool.h>
#include <stdint.h>

#define UID_BYTES 8

/* The part of a tag's number that an inventory asks for: its lowest `bits` bits. */
struct mask {
    uint8_t bits;
    uint8_t value[UID_BYTES];
};

enum outcome {
    SLOT_EMPTY,
    SLOT_TAG,
    SLOT_COLLISION, /* more than one answer, or one that was damaged */
    SLOT_SILENT,    /* the reader itself said nothing */
};

struct answer {
    uint8_t uid[UID_BYTES];
    uint8_t strength; /* 1 to 8: the reader's RSSI plus one */
};

/* Pins and chip off. */
void trf_start(void);

/* Wakes the chip and looks whether it answers, by its registers and by one transmission. Takes up to 25 ms. */
bool trf_wake(void);

void trf_carrier(bool on);

/* How strongly the reader hears its own carrier, 0 to 7: a loop that is open or out of tune is too low or too high. */
uint8_t trf_level(void);

/* Begins 16 slots for the tags of a class (0: all) whose numbers end so. The answer in the first slot is awaited next. */
void trf_inventory(uint8_t afi, const struct mask *mask);

/* Asks for all tags whose numbers end so at once, in one slot, which is awaited next. */
void trf_call(const struct mask *mask);

/* Begins the next slot after one that held an answer or, shorter, nothing. */
void trf_next_slot(bool held_nothing);

/* Waits for what the slot brings, serving `meanwhile` all the time. */
enum outcome trf_await(struct answer *answer, void (*meanwhile)(void));

/* Writes a tag's class; true if the tag has said that it is done. */
bool trf_write_afi(const uint8_t uid[UID_BYTES], uint8_t afi, void (*meanwhile)(void));

#endif
