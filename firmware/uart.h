/* The wire to the host: 250,000 baud, 8N1, a ring of 256 bytes either way. */
#ifndef UART_H
#define UART_H

#include <stdbool.h>
#include <stdint.h>

void uart_start(void);

/* The next byte received, or -1. */
int16_t uart_take(void);
bool uart_waiting(void);

/* Waits for room in the ring: at most as long as its 256 bytes take, 10 ms. */
void uart_send(const uint8_t *bytes, uint8_t count);

/* Bytes lost because nobody took them, modulo 256. */
uint8_t uart_overruns(void);

#endif
