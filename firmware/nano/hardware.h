/* Pins by name; pins.h has every pin's number. */
#ifndef HARDWARE_H
#define HARDWARE_H

#include <avr/io.h>
#include <stdint.h>

#include "pins.h"

#define BIT_OF(pin) _BV(pin##_BIT)
#define HIGH(pin) (pin##_PORT |= BIT_OF(pin))
#define LOW(pin) (pin##_PORT &= (uint8_t)~BIT_OF(pin))
#define OUTPUT(pin) (pin##_DDR |= BIT_OF(pin))

#endif
