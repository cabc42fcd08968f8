/* Pins by name, and the shared SPI. pins.h has every pin's number. */
#ifndef HARDWARE_H
#define HARDWARE_H

#include <avr/io.h>
#include <stdint.h>

#include "pins.h"

#define BIT_OF_(pin) _BV(pin##_BIT)
#define HIGH(pin) (pin##_PORT |= BIT_OF_(pin))
#define LOW(pin) (pin##_PORT &= (uint8_t)~BIT_OF_(pin))
#define OUTPUT(pin) (pin##_DDR |= BIT_OF_(pin))
#define IS_HIGH(pin) (pin##_IN & BIT_OF_(pin))

#define HAS_READER (LOOP_OUTPUTS > 0)
#define HAS_CONTACTS (ROW_INPUTS > 0)

/* The reader uses SPI mode 1, all others mode 0; both at F_CPU / 8 = 2 MHz. */
#define SPI_SHIFT (_BV(SPE) | _BV(MSTR) | _BV(SPR0))
#define SPI_READER (SPI_SHIFT | _BV(CPHA))

static inline void spi_mode(uint8_t mode) {
    SPCR = mode;
    SPSR = _BV(SPI2X);
}

static inline uint8_t spi_swap(uint8_t byte) {
    SPDR = byte;
    while (!(SPSR & _BV(SPIF))) {
    }
    return SPDR;
}

#endif
