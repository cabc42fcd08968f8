/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <simavr/avr_eeprom.h>
#include <simavr/avr_extint.h>
#include <simavr/avr_ioport.h>
#include <simavr/avr_spi.h>
#include <simavr/sim_io.h>
#include <simavr/sim_time.h>
#include <string.h>

#include "emulator.h"

#define SPDR_ADDRESS 0x4e
#define SPCR_ADDRESS 0x4c
#define SPSR_ADDRESS 0x4d
#define CPHA_BIT 0x04
#define FLICKER_MS 200

struct contacts contacts;

static uint64_t flicker_at;
static avr_irq_t *spi_input;

#if HAS_READER
static uint32_t shifted, latched;
static bool loops_off = true;
#endif

/* --- The chain of 74HC165 ---------------------------------------------------------------------------------------- */

#if HAS_CONTACTS

static uint64_t chain;
static bool chain_shifts;

/* Close these cells' contacts, wired as the field in the board's EEPROM. */
static uint64_t wired(uint64_t cells) {
    static const uint8_t square[] = SQUARE_INPUTS, hexagonal[] = HEXAGONAL_INPUTS;
    uint8_t geometry = SQUARE_CODE;
    avr_eeprom_desc_t byte = {.ee = &geometry, .offset = 8, .size = 1};
    avr_ioctl(avr, AVR_IOCTL_EEPROM_GET, &byte);
    bool six_sided = geometry == HEXAGONAL_CODE;
    uint64_t closed = 0;
    for (unsigned cell = 0; cell < (six_sided ? HEXAGONAL_CELLS : SQUARE_CELLS); cell++) {
        closed |= (cells >> cell & 1) << (six_sided ? hexagonal : square)[cell];
    }
    return closed;
}

/* The chain's levels, input 0 in the highest bit. A closed contact is low. */
static uint64_t inputs(void) {
    uint64_t cells = (contacts.closed & ~contacts.flickering) | (contacts.flicker_state & contacts.flickering);
    uint64_t closed = wired((cells | contacts.stuck_on) & ~contacts.stuck_off);
    uint64_t levels = 0;
    for (unsigned input = 0; input < 8 * CHAIN_CHIPS; input++) {
        levels = levels << 1 | (~closed >> input & 1);
    }
    return levels;
}

static void on_chain_load(avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq, (void)param;
    chain_shifts = value;
    if (!value) {
        chain = inputs();
    }
}

static uint8_t chain_swap(void) {
    uint8_t byte = (uint8_t)(chain >> (8 * (CHAIN_CHIPS - 1)));
    if (chain_shifts) {
        chain = chain << 8 | 0xff;
    }
    return byte;
}

#endif

void board_tick(uint64_t ms) {
    if (ms < flicker_at) {
        return;
    }
    flicker_at = ms + FLICKER_MS;
    for (unsigned i = 0; i < 64; i++) {
        if (random_below(2)) {
            contacts.flicker_state ^= 1ULL << i;
        }
    }
}

/* --- The loops' TPIC6B595 ---------------------------------------------------------------------------------------- */

#if HAS_READER

static void check_loops(void) {
    if (!loops_off && latched & (latched - 1)) {
        violation("more than one loop is on: %08x", latched);
    }
}

static void on_loop_latch(avr_irq_t *irq, uint32_t value, void *param) {
    (void)param;
    if (value && !irq->value) {
        latched = shifted;
        check_loops();
        if (!loops_off && reader_on_air()) {
            violation("loops are switched while the radio is on");
        }
    }
}

static void on_loops_off(avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq, (void)param;
    if (loops_off != (value != 0) && reader_on_air()) {
        violation("loops are switched while the radio is on");
    }
    loops_off = value;
    check_loops();
}

int board_loop(void) {
    return loops_off || !latched ? -1 : __builtin_ctz(latched);
}

#else

int board_loop(void) {
    return -1;
}

#endif

/* --- The bus ----------------------------------------------------------------------------------------------------- */

/* simavr lets every byte take 100 µs: find its timer at the first byte, and set the true time from
 * then on. */
static void on_spdr(avr_t *mcu, avr_io_addr_t address, uint8_t value, void *param) {
    static const uint8_t divider_shift[] = {2, 4, 6, 7};
    static avr_cycle_timer_t timer;
    static void *its_param;
    (void)address, (void)value, (void)param;
    avr_cycle_count_t slow = mcu->cycle + avr_usec_to_cycles(mcu, 100);
    for (avr_cycle_timer_slot_p slot = mcu->cycle_timers.timer; slot && !timer; slot = slot->next) {
        if (slot->when == slow) {
            timer = slot->timer;
            its_param = slot->param;
        }
    }
    uint8_t shift = divider_shift[mcu->data[SPCR_ADDRESS] & 3] - (mcu->data[SPSR_ADDRESS] & 1);
    avr_cycle_timer_cancel(mcu, timer, its_param);
    avr_cycle_timer_register(mcu, 8u << shift, timer, its_param);
}

/* All chips share one bus: derive from their pins what the clock shifts and which chip drives
 * MISO. */
static void on_spi(avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq, (void)param;
    uint8_t answer = 0xff;
    bool reader = reader_selected();
    bool mode_1 = avr->data[SPCR_ADDRESS] & CPHA_BIT;
    if (mode_1 != reader) {
        violation("SPI mode %d while the reader is %s", mode_1, reader ? "selected" : "not selected");
    }
#if HAS_READER
    shifted = shifted << 8 | (uint8_t)value;
    if (reader) {
        answer = reader_swap((uint8_t)value);
    }
#else
    (void)value;
    answer = chain_swap();
#endif
    avr_raise_irq(spi_input, answer);
}

/* simavr checks a low pin for a level interrupt in every cycle, even a disabled one, which would
 * cost most of the time. Every reset enables the check again. */
static void ignore_levels(void) {
    for (char interrupt = 0; interrupt < 8; interrupt++) {
        avr_extint_set_strict_lvl_trig(avr, (uint8_t)interrupt, 0);
    }
}

void board_attach(void) {
    spi_input = avr_io_getirq(avr, AVR_IOCTL_SPI_GETIRQ(0), SPI_IRQ_INPUT);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_SPI_GETIRQ(0), SPI_IRQ_OUTPUT), on_spi, NULL);
    avr_register_io_write(avr, SPDR_ADDRESS, on_spdr, NULL);
#if HAS_CONTACTS
    avr_irq_register_notify(PIN_IRQ(CHAIN_LOAD), on_chain_load, NULL);
#endif
#if HAS_READER
    avr_irq_register_notify(PIN_IRQ(LOOP_LATCH), on_loop_latch, NULL);
    avr_irq_register_notify(PIN_IRQ(LOOPS_OFF), on_loops_off, NULL);
#endif
}

/* While the microcontroller starts, its pins are inputs: the pull-ups keep everything off. */
void board_restart(void) {
    ignore_levels();
#if HAS_READER
    loops_off = true;
#endif
}
