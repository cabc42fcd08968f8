#include "beeper.h"

#include "clock.h"
#include "hardware.h"

/* The pin must be this timer's output. */
#if defined(BOARD_PRESENCE)
_Static_assert(BEEPER_BIT == 1, "the piezo hangs on OC1A, which is PB1");
#define CONTROL_A TCCR1A
#define CONTROL_B TCCR1B
#define TOP OCR1A
#define COMPARE OCR1A
#define TOGGLE _BV(COM1A0)
#define RUN (_BV(WGM12) | _BV(CS11))
#else
_Static_assert(BEEPER_BIT == 4, "the piezo hangs on OC3B, which is PE4");
#define CONTROL_A TCCR3A
#define CONTROL_B TCCR3B
#define TOP OCR3A
#define COMPARE OCR3B
#define TOGGLE _BV(COM3B0)
#define RUN (_BV(WGM32) | _BV(CS31))
#endif

static bool sounding;
static uint16_t began, length;

static void silence(void) {
    CONTROL_B = 0;
    CONTROL_A = 0;
    LOW(BEEPER);
    sounding = false;
}

void beeper_start(void) {
    silence();
    OUTPUT(BEEPER);
}

bool beeper_sound(uint16_t hertz, uint16_t ms) {
    if (hertz && (hertz < 16 || hertz > 20000)) {
        return false;
    }
    silence();
    if (hertz && ms) {
        uint16_t half = (uint16_t)(F_CPU / 8 / 2 / hertz) - 1;
        TOP = half;
        COMPARE = half;
        CONTROL_A = TOGGLE;
        CONTROL_B = RUN;
        began = clock_ms16();
        length = ms;
        sounding = true;
    }
    return true;
}

void beeper_update(void) {
    if (sounding && (uint16_t)(clock_ms16() - began) >= length) {
        silence();
    }
}
