#include "antenna.h"

#include "hardware.h"

#if HAS_READER

#define CHIPS (LOOP_OUTPUTS / 8)

static void shift(uint32_t outputs) {
    spi_mode(SPI_SHIFT);
    for (uint8_t chip = CHIPS; chip--;) { /* the last chip's byte goes first */
        spi_swap((uint8_t)(outputs >> 8 * chip));
    }
    HIGH(LOOP_LATCH);
    LOW(LOOP_LATCH);
}

void antenna_start(void) {
    HIGH(LOOPS_OFF);
    OUTPUT(LOOPS_OFF);
    LOW(LOOP_LATCH);
    OUTPUT(LOOP_LATCH);
    antenna_release();
}

void antenna_select(uint8_t loop) {
    shift(1UL << loop);
    LOW(LOOPS_OFF);
}

void antenna_release(void) {
    HIGH(LOOPS_OFF);
    shift(0);
}

#endif
