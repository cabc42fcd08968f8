#include "leds.h"

#include <string.h>

#include "hardware.h"

/* 5 of 31: with all lamps white the strip takes less than half an ampere. */
#define BRIGHTNESS (0xe0 | 5)

static uint8_t colours[LAMPS][3];
static bool changed;

void leds_start(void) {
    HIGH(LED_GATE);
    OUTPUT(LED_GATE);
    changed = true;
}

bool leds_set(uint8_t first, uint8_t count, const uint8_t *rgb) {
    if (count > LAMPS || first > LAMPS - count) {
        return false;
    }
    memcpy(colours[first], rgb, 3 * count);
    changed = true;
    return true;
}

void leds_show(void) {
    if (!changed) {
        return;
    }
    changed = false;
    spi_mode(SPI_SHIFT);
    LOW(LED_GATE);
    for (uint8_t i = 0; i < 4; i++) {
        spi_swap(0);
    }
    for (uint8_t lamp = 0; lamp < LAMPS; lamp++) {
        spi_swap(BRIGHTNESS);
        spi_swap(colours[lamp][2]);
        spi_swap(colours[lamp][1]);
        spi_swap(colours[lamp][0]);
    }
    /* Each lamp delays the clock by half a bit, so the last one needs that number of edges more. */
    for (uint8_t i = 0; i < LAMPS / 16 + 1; i++) {
        spi_swap(0xff);
    }
    HIGH(LED_GATE);
}
