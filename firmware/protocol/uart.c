#include "uart.h"

#include <avr/interrupt.h>
#include <avr/io.h>

#include "pins.h"

#ifndef USART_RX_vect
#define USART_RX_vect USART0_RX_vect
#define USART_UDRE_vect USART0_UDRE_vect
#endif

static uint8_t received[256], sent[256];
static volatile uint8_t received_head, received_tail, sent_head, sent_tail, overruns;

ISR(USART_RX_vect) {
    uint8_t status = UCSR0A, byte = UDR0, next = received_head + 1;
    if (status & _BV(DOR0)) {
        overruns++;
    }
    if (next == received_tail) {
        overruns++;
        return;
    }
    received[received_head] = byte;
    received_head = next;
}

ISR(USART_UDRE_vect) {
    if (sent_tail == sent_head) {
        UCSR0B &= (uint8_t)~_BV(UDRIE0);
        return;
    }
    UDR0 = sent[sent_tail++];
}

void uart_start(void) {
    UCSR0A = _BV(U2X0);
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UBRR0 = F_CPU / 8 / BAUD - 1; /* last, because simavr computes the speed at this write */
    UCSR0B = _BV(RXCIE0) | _BV(RXEN0) | _BV(TXEN0);
}

bool uart_waiting(void) {
    return received_head != received_tail;
}

int16_t uart_take(void) {
    if (!uart_waiting()) {
        return -1;
    }
    uint8_t byte = received[received_tail];
    received_tail++;
    return byte;
}

void uart_send(const uint8_t *bytes, uint8_t count) {
    while (count--) {
        uint8_t next = sent_head + 1;
        while (next == sent_tail) {
        }
        sent[sent_head] = *bytes++;
        sent_head = next;
        UCSR0B |= _BV(UDRIE0);
    }
}

uint8_t uart_overruns(void) {
    return overruns;
}
