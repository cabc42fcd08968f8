#include "uart.h"

#include <avr/interrupt.h>
#include <avr/io.h>

#include "pins.h"

/* Write or read a buffer's byte before its index moves: the compiler may reorder what is not volatile. */
#define BARRIER() __asm__ volatile("" ::: "memory")

static uint8_t received[256], sent[256];
static volatile uint8_t received_head, received_tail, sent_head, sent_tail;

static void receive_byte(void) {
    uint8_t byte = UDR0, next = received_head + 1;
    if (next != received_tail) { /* a full buffer drops: the host sends a lost line again */
        received[received_head] = byte;
        BARRIER();
        received_head = next;
    }
}

ISR(USART_RX_vect) {
    receive_byte();
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
    UBRR0 = (F_CPU / 8 + BAUD / 2) / BAUD - 1; /* last, because simavr computes the speed at this write */
    UCSR0B = _BV(RXCIE0) | _BV(RXEN0) | _BV(TXEN0);
}

int16_t uart_take(void) {
    if (received_head == received_tail) {
        return -1;
    }
    BARRIER();
    uint8_t byte = received[received_tail];
    BARRIER();
    received_tail++;
    return byte;
}

void uart_put(char byte) {
    uint8_t next = sent_head + 1;
    while (next == sent_tail) {
    }
    sent[sent_head] = (uint8_t)byte;
    BARRIER();
    sent_head = next;
    UCSR0B |= _BV(UDRIE0);
}

void uart_poll(void) {
    if (UCSR0A & _BV(RXC0)) {
        receive_byte();
    }
}
