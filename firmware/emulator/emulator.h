/* The firmware's .elf in simavr, with models of everything connected to the microcontroller.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later (linked with simavr; nothing of the companion is
 * linked with it)
 *
 * The models follow datasheets, by the author of the firmware. No radio frequency was measured. */
#ifndef EMULATOR_H
#define EMULATOR_H

#include <simavr/sim_avr.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* pins.h names ports by their registers; here a port is its letter. */
#define PORTA 'A'
#define PORTB 'B'
#define PORTC 'C'
#define PORTD 'D'
#define PORTE 'E'
#define PORTL 'L'
#include "../common/pins.h"

#define HAS_READER (LOOP_OUTPUTS > 0)
#define HAS_CONTACTS (ROW_INPUTS > 0)
#define CYCLES_PER_US (16)

extern avr_t *avr;

/* Set or watch a pin by its name in pins.h. */
#define PIN_IRQ(pin) avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(pin##_PORT), pin##_BIT)

/* Report a violation, which would damage a real board; the command `violations` prints it. */
void violation(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Random number; the same seed gives the same sequence. */
extern uint64_t seed;
uint32_t random_below(uint32_t below);
bool happens(uint32_t parts_per_million);

/* --- board.c: shift registers ------------------------------------------------------------------------------------ */

void board_attach(void);
void board_restart(void);
void board_tick(uint64_t ms);

/* The contacts, one bit an input; a closed one is low. A stuck one never changes, a flickering one
 * flips at random. */
struct contacts {
    uint64_t closed, stuck_on, stuck_off, flickering, flicker_state;
};
extern struct contacts contacts;

/* The loop that is switched on, -1 if none. */
int board_loop(void);

/* --- trf7970a.c: the TRF7970A and the tags over the loops ---------------------------------------------------------- */

#define MOST_TAGS_THERE 256
#define STRENGTHS 26

struct tag {
    uint8_t uid[8]; /* least significant byte first */
    uint8_t afi;
    uint8_t strengths[STRENGTHS]; /* 0: does not answer; 1 to 8 */
};
extern struct tag tags_there[MOST_TAGS_THERE];
extern size_t tag_count;

enum reader_fault { READER_OK, READER_DEAD, READER_IRQ_LOW, READER_IRQ_HIGH };

extern struct reader_switches {
    enum reader_fault fault;
    uint32_t open_loops;
    uint32_t missed_ppm; /* answers to lose */
    uint32_t late_us;    /* delay of answers beyond the standard, in µs */
    unsigned capture;    /* steps by which the strongest of several answers must lead to be received; 0: never */
} reader_switches;

void reader_attach(void);
void reader_restart(void);
bool reader_selected(void);
bool reader_on_air(void);
uint8_t reader_swap(uint8_t byte);

/* --- wire.c: the UART, its pseudo-terminal and faults between them ---------------------------- */

struct rates {
    uint32_t flipped, lost, extra; /* parts per million of bytes */
};
extern struct wire_faults {
    struct rates in, out;
    uint32_t frame_lost, frame_doubled, frame_torn; /* parts per million of the board's bytes */
    bool silence;
    long reset_after, unplug_after; /* bytes; -1: never */
    uint8_t reset_cause;
} wire_faults;

void wire_attach(void);
void wire_restart(void);

/* Open a pseudo-terminal and return its name. Without one, `wire_collected` returns the board's
 * bytes. */
const char *wire_plug(void);
void wire_unplug(void);
bool wire_plugged(void);

/* Pass bytes to the board. Call at least every quarter of a millisecond of the board's time. */
void wire_transfer(void);

/* Send bytes to the board without a pseudo-terminal. */
void wire_push(const uint8_t *bytes, size_t count);
size_t wire_collected(const uint8_t **bytes);
void wire_forget(void);
size_t wire_pending(void);

/* --- emulator.c -------------------------------------------------------------------------------------------------- */

/* Restart the board; `cause` as in the microcontroller's flags. */
void restart_board(uint8_t cause);

/* Unplug the cable, which also cuts the power. */
void unplug_board(void);

#endif
