#include "supply.h"

#include <avr/io.h>
#include <util/delay.h>

/* ADC input of the reference of 1.1 V. */
#if defined(BOARD_PRESENCE)
#define REFERENCE_1V1 0x0e
#else
#define REFERENCE_1V1 0x1e
#endif

static uint16_t at_start;

/* The reference in 1024ths of the supply: rises when the supply falls. */
static uint16_t measure(void) {
    ADCSRA |= _BV(ADSC);
    while (ADCSRA & _BV(ADSC)) {
    }
    return ADC;
}

void supply_start(void) {
    ADMUX = _BV(REFS0) | REFERENCE_1V1;
    ADCSRA = _BV(ADEN) | _BV(ADPS2) | _BV(ADPS1) | _BV(ADPS0);
    _delay_ms(1); /* wait while the reference charges */
    measure();
    at_start = measure();
}

uint8_t supply_dip(void) {
    uint16_t now = measure();
    return now > at_start ? (uint8_t)(100 - (uint32_t)100 * at_start / now) : 0;
}
