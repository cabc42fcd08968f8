/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef EMULATOR_H
#define EMULATOR_H

#include <simavr/sim_avr.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CYCLES_PER_US 16

extern avr_t *avr;

/* Report what would fail on a real board; the command `violations` prints it. */
void violation(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Restart the board; `cause` as in the microcontroller's flags. */
void restart_board(uint8_t cause);

/* Unplug the cable, which also cuts the power. */
void unplug_board(void);

/* --- strips.c: the chain of 74HC165, and the lamps ------------------------------------------- */

void strips_attach(void);
void strips_tick(uint64_t ms);

/* Set what stands on the cells, or a fault; return false for an unknown name. */
bool strips_set(const char *name, uint64_t value);

/* The lamps' bytes since the last pause that made them light: green, red, blue each. */
size_t lamps_lit(const uint8_t **bytes);

/* --- wire.c: the UART and its pseudo-terminal ------------------------------------------------ */

extern struct wire_faults {
    bool silence;
    long reset_after, unplug_after; /* bytes; -1: never */
    uint8_t reset_cause;
} wire_faults;

void wire_attach(void);
void wire_restart(void);

/* The speed that the UART's registers give, by the datasheet. */
unsigned wire_baud(void);

/* Open a pseudo-terminal and return its name. Without one, `wire_collected` returns the board's
 * bytes. */
const char *wire_plug(void);
void wire_unplug(void);
bool wire_plugged(void);

/* Pass bytes to the board. Call at least every quarter of a millisecond of the board's time. */
void wire_transfer(void);
void wire_push(uint8_t byte);
size_t wire_collected(const uint8_t **bytes);
void wire_forget(void);

#endif
