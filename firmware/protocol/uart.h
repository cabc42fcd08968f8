/* UART to the host: 250,000 baud, 8N1, a ring buffer of 256 bytes in each direction. */
#ifndef UART_H
#define UART_H

#include <stdbool.h>
#include <stdint.h>

void uart_start(void);

/* The next byte received, or -1. */
int16_t uart_take(void);
bool uart_waiting(void);

/* Wait for space in the buffer: at most 10 ms, the time of its 256 bytes. */
void uart_send(const uint8_t *bytes, uint8_t count);

/* Bytes lost because nobody read them, modulo 256. */
uint8_t uart_overruns(void);

#endif
