/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <simavr/avr_ioport.h>
#include <simavr/avr_spi.h>
#include <simavr/sim_io.h>
#include <string.h>

#include "emulator.h"

/* pins.h names ports by their registers; here a port is its letter. */
#define PORTB 'B'
#define PORTC 'C'
#define PORTD 'D'
#include "../nano/pins.h"

#define PIN_IRQ(pin) avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(pin##_PORT), pin##_BIT)
#define INPUTS (8 * CHAIN_CHIPS)
#define ALL_ONES ((1ULL << INPUTS) - 1)
#define PORTB_ADDRESS 0x25
#define FLICKER_MS 200
#define MOST_LAMP_BYTES 256

/* Cells are numbered row by row, a bit each. Strips and bits of the chain are numbered from 1;
 * 0: none. */
static uint64_t cells, stuck_on, stuck_off, flicker, strips = 6;
static uint64_t unplugged;    /* the strip whose plug is out */
static uint64_t clockless;    /* the strip that gets no clock, and repeats its first level */
static uint64_t clock_extra;  /* the bit that a clock too many skips */
static uint64_t clock_missed; /* the bit that a missing clock reads twice */
static uint64_t matrix;       /* reed switches in place of strips: columns D2 to D7, rows A0 to A5 */

static uint64_t chain;
static bool chain_shifts, flicker_closed;
static avr_irq_t *spi_input;

/* --- The strips ------------------------------------------------------------------------------ */

static const struct {
    const char *name;
    uint64_t *value;
} switches[] = {{"cells", &cells}, {"stuck-on", &stuck_on}, {"stuck-off", &stuck_off},
                {"flicker", &flicker}, {"strips", &strips}, {"unplugged", &unplugged},
                {"clockless", &clockless}, {"clock-extra", &clock_extra}, {"clock-missed", &clock_missed},
                {"matrix", &matrix}};

bool strips_set(const char *name, uint64_t value) {
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++) {
        if (!strcmp(name, switches[i].name)) {
            *switches[i].value = value;
            return true;
        }
    }
    return false;
}

void strips_tick(uint64_t ms) {
    flicker_closed = ms / FLICKER_MS % 2;
}

/* A strip's levels, D7 first: a closed cell is low, D0 always, and nothing else. */
static uint8_t strip_levels(uint64_t *closed, unsigned row) {
    static const uint8_t hexagonal[] = {4, 5, 6, 7, 6, 5, 4};
    uint8_t levels = 0xfe, count = strips == CHAIN_CHIPS ? hexagonal[row] : 6;
    for (uint8_t cell = 0; cell < count; cell++, *closed >>= 1) {
        levels &= (uint8_t)~((*closed & 1) << (7 - cell));
    }
    return levels;
}

/* The chain's levels, the first one in the highest bit. */
static uint64_t chain_levels(void) {
    uint64_t closed = (cells & ~flicker) | (flicker_closed ? flicker : 0), levels = 0;
    closed = (closed | stuck_on) & ~stuck_off;
    for (unsigned row = 0; row < CHAIN_CHIPS; row++) {
        levels = levels << 8 | (row < strips ? strip_levels(&closed, row) : 0xff);
    }
    if (unplugged == 1 && !(avr->data[PORTB_ADDRESS] & 1 << MISO_BIT)) {
        violation("DATA floats: its pull-up is off");
    }
    if (unplugged) {
        levels |= ALL_ONES >> 8 * (unplugged - 1);
    }
    if (clockless) {
        uint64_t rest = ALL_ONES >> 8 * (clockless - 1);
        levels = levels & (rest ^ (rest >> 1)) ? levels | rest : levels & ~rest;
    }
    if (clock_extra) {
        uint64_t rest = ALL_ONES >> (clock_extra - 1);
        levels = (levels & ~rest) | ((levels << 1 | 1) & rest);
    }
    if (clock_missed) {
        uint64_t rest = ALL_ONES >> clock_missed;
        levels = (levels & ~rest) | (levels >> 1 & rest);
    }
    return levels;
}

static void on_load(avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq, (void)param;
    chain_shifts = value;
    if (!value) {
        chain = chain_levels();
    }
}

static void on_spi(avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq, (void)value, (void)param;
    uint8_t byte = (uint8_t)(chain >> (INPUTS - 8));
    if (chain_shifts) {
        chain = chain << 8 | 0xff;
    }
    avr_raise_irq(spi_input, byte);
}

/* --- The matrix ------------------------------------------------------------------------------ */

#define PORTD_ADDRESS 0x2b

/* A closed switch with its diode pulls its row down while its column is driven low. */
static void on_columns(avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq, (void)param;
    uint8_t driven = (uint8_t)(value & ~avr->data[PORTD_ADDRESS]);
    for (int row = 0; matrix && row < 6; row++) {
        bool low = cells >> 6 * row & driven >> 2 & 0x3f;
        avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('C'), row), !low);
    }
}

/* --- The lamps: WS2812, by its datasheet 0.4 or 0.8 µs high (0.15 more or less), latched by a
 * pause of 50 µs or, in some, a tenth of it --------------------------------------------------- */

static uint8_t lamp_bytes[MOST_LAMP_BYTES];
static size_t lamp_bits;

size_t lamps_lit(const uint8_t **bytes) {
    *bytes = lamp_bytes;
    return lamp_bits / 8;
}

static void on_lamps(avr_irq_t *irq, uint32_t value, void *param) {
    static avr_cycle_count_t rise, fall;
    (void)param;
    if (value == irq->value) {
        return;
    }
    if (value) {
        rise = avr->cycle;
        if (rise - fall > 50 * CYCLES_PER_US) {
            lamp_bits = 0;
        } else if (rise - fall > 5 * CYCLES_PER_US) {
            violation("the lamps' line rests for %d cycles within a chain", (int)(rise - fall));
        }
        return;
    }
    fall = avr->cycle;
    int high = (int)(fall - rise);
    if (high < 4 || (high > 8 && high < 11) || high > 15 || lamp_bits == 8 * MOST_LAMP_BYTES) {
        violation("the lamps' line is high for %d cycles", high);
    } else {
        uint8_t *byte = &lamp_bytes[lamp_bits++ / 8];
        *byte = (uint8_t)(*byte << 1 | (high > 9));
    }
}

void strips_attach(void) {
    spi_input = avr_io_getirq(avr, AVR_IOCTL_SPI_GETIRQ(0), SPI_IRQ_INPUT);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_SPI_GETIRQ(0), SPI_IRQ_OUTPUT), on_spi, NULL);
    avr_irq_register_notify(PIN_IRQ(CHAIN_LOAD), on_load, NULL);
    avr_irq_register_notify(PIN_IRQ(LAMPS), on_lamps, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), IOPORT_IRQ_DIRECTION_ALL), on_columns, NULL);
}
