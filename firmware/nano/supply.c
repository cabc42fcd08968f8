#include "supply.h"

#include <avr/io.h>
#include <util/delay.h>

#define REFERENCE_1V1 0x0e
#define DIP_PERCENT 8

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

bool supply_dipped(void) {
    return (uint32_t)measure() * (100 - DIP_PERCENT) >= (uint32_t)at_start * 100;
}
