/* The strips, the lamps and the serial line of one firmware. */
#pragma once

#include <avr/io.h>
#include <stdbool.h>
#include <stdint.h>

#include "pins.h"

/* Of a pin in pins.h, which is "port, bit". */
#define NAME(register, port, bit) register##port
#define BIT(port, bit) _BV(bit)
#define PORT_OF(...) NAME(PORT, __VA_ARGS__)
#define BIT_OF(...) BIT(__VA_ARGS__)
#define HIGH(...) (PORT_OF(__VA_ARGS__) |= BIT_OF(__VA_ARGS__))
#define LOW(...) (PORT_OF(__VA_ARGS__) &= (uint8_t)~BIT_OF(__VA_ARGS__))
#define OUTPUT(...) (NAME(DDR, __VA_ARGS__) |= BIT_OF(__VA_ARGS__))

/* Interval of `strips_sample`: four equal samples change a cell, four wrong ones are a fault. */
#define SAMPLE_MS 5

/* What the strips say, a strip a row. The field is 6 x 6, or a hexagon of side 4 as soon as a seventh
 * strip answers. A strip at fault and those behind it keep what was read last. */
extern struct board {
    bool hexagonal;
    uint8_t occupied[CHAIN_CHIPS]; /* a bit a cell, the first one in the highest */
    uint8_t fault;                 /* the first strip, from 1, that is wrong; 0: none */
} board;

/* The number of cells in a row, 0 where the field has none, and its first cell's number: e2, f3, g4, else 1. */
uint8_t row_cells(uint8_t row);
uint8_t row_first(uint8_t row);

/* Take the first samples, 40 ms. */
void strips_start(void);

/* Read the chain once; return whether `board` has changed. */
bool strips_sample(void);

/* Light the lamps, WS2812, one a cell row by row: "white A1 B3 teal C4". Cuts the words apart. */
void lamps_show(char *words);

/* Receive a byte with interrupts off, if one is there: call at least every 80 µs. */
void receive_byte(void);
