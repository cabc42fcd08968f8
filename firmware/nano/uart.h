/* The serial line, in and out through ring buffers. */
#ifndef UART_H
#define UART_H

#include <stdint.h>

void uart_start(void);

/* The next received byte, -1 if there is none. */
int16_t uart_take(void);

/* Wait while the buffer is full: at most for the time of one byte on the line. */
void uart_put(char byte);

/* Receive with interrupts off: call at least every 80 µs, or bytes are lost. */
void uart_poll(void);

#endif
