#include "clock.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <stdbool.h>
#include <util/atomic.h>

#define SLEEP_US 16
#define TICKS_A_MS (F_CPU / 64 / 1000)

static volatile uint32_t now;

ISR(TIMER0_COMPA_vect) {
    now++;
}

EMPTY_INTERRUPT(TIMER2_COMPA_vect)

void clock_start(void) {
    TCCR2A = _BV(WGM21);
    OCR2A = F_CPU / 64 * SLEEP_US / 1000000 - 1;
    TIMSK2 = _BV(OCIE2A);
    TCCR0A = _BV(WGM01);
    OCR0A = TICKS_A_MS - 1;
    TIMSK0 = _BV(OCIE0A);
    TCCR0B = _BV(CS01) | _BV(CS00);
}

uint32_t clock_ms(void) {
    uint32_t ms;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        ms = now;
    }
    return ms;
}

uint16_t clock_ms16(void) {
    return (uint16_t)clock_ms();
}

uint16_t clock_4us(void) {
    uint16_t ticks;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        uint8_t count = TCNT0;
        bool turned = TIFR0 & _BV(OCF0A); /* a millisecond is over, but not counted yet */
        ticks = (uint16_t)(now + (turned ? 1 : 0)) * TICKS_A_MS + (turned ? TCNT0 : count);
    }
    return ticks;
}

void clock_sleep(void) {
    TCNT2 = 0;
    TCCR2B = _BV(CS22);
    sleep_mode();
    TCCR2B = 0;
}
