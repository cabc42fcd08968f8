/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_io.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "emulator.h"

#define QUEUE (1 << 18)
#define UCSR0A_ADDRESS 0xc0
#define U2X0_BIT 2
#define UBRR0_ADDRESS 0xc4
#define UART_IRQ(name) avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_##name)

struct wire_faults wire_faults = {.reset_after = -1, .unplug_after = -1};

static int master = -1, slave = -1;
static uint8_t queue[QUEUE], collected[QUEUE];
static size_t queue_head, queue_tail, collected_count;
static bool ready_for_input = true;

/* --- To the board ---------------------------------------------------------------------------- */

void wire_push(uint8_t byte) {
    if (queue_head - queue_tail < QUEUE) {
        queue[queue_head++ % QUEUE] = byte;
    }
}

unsigned wire_baud(void) {
    unsigned divider = avr->data[UBRR0_ADDRESS] + 1 + (avr->data[UBRR0_ADDRESS + 1] << 8);
    return avr->frequency / divider / (avr->data[UCSR0A_ADDRESS] & U2X0_BIT ? 8 : 16);
}

/* What a byte becomes when both ends have different speeds; not what a real one would become. */
static uint8_t at_the_speed(uint8_t byte) {
    unsigned host = 115200, board = wire_baud();
    struct termios settings;
    if (master >= 0 && tcgetattr(master, &settings) == 0) {
        host = cfgetospeed(&settings) == B57600 ? 57600 : 115200;
    }
    return board > host / 20 * 19 && board < host / 20 * 21 ? byte : byte ^ 0xa5;
}

void wire_transfer(void) {
    uint8_t bytes[256];
    if (master >= 0 && queue_head == queue_tail) {
        ssize_t count = read(master, bytes, sizeof bytes);
        for (ssize_t i = 0; i < count; i++) {
            wire_push(bytes[i]);
        }
    }
    while (ready_for_input && queue_head != queue_tail) {
        avr_raise_irq(UART_IRQ(INPUT), at_the_speed(queue[queue_tail++ % QUEUE]));
    }
}

static void on_xon(avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq, (void)value, (void)param;
    ready_for_input = true;
}

static void on_xoff(avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq, (void)value, (void)param;
    ready_for_input = false;
}

/* --- From the board -------------------------------------------------------------------------- */

/* Unread bytes are lost, as on a real wire. */
static void on_output(avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq, (void)param;
    uint8_t byte = at_the_speed((uint8_t)value);
    if (wire_faults.unplug_after >= 0 && wire_faults.unplug_after-- == 0) {
        unplug_board();
    } else if (master < 0 && collected_count < QUEUE) {
        collected[collected_count++] = byte;
    } else if (master >= 0 && !wire_faults.silence && write(master, &byte, 1) < 0 && errno != EAGAIN) {
        violation("the pseudo-terminal failed: %s", strerror(errno));
    }
    if (wire_faults.reset_after >= 0 && --wire_faults.reset_after <= 0) {
        wire_faults.reset_after = -1;
        restart_board(wire_faults.reset_cause);
    }
}

size_t wire_collected(const uint8_t **bytes) {
    *bytes = collected;
    return collected_count;
}

void wire_forget(void) {
    collected_count = 0;
}

/* --- Plugging -------------------------------------------------------------------------------- */

const char *wire_plug(void) {
    static char name[64];
    struct termios raw;
    if (master >= 0) {
        return name;
    }
    int before = slave;
    if (openpty(&master, &slave, name, NULL, NULL) < 0) {
        violation("no pseudo-terminal: %s", strerror(errno));
        return "";
    }
    if (before >= 0) {
        close(before);
    }
    tcgetattr(slave, &raw);
    cfmakeraw(&raw);
    tcsetattr(slave, TCSANOW, &raw);
    fcntl(master, F_SETFL, fcntl(master, F_GETFL) | O_NONBLOCK);
    fcntl(master, F_SETFD, FD_CLOEXEC);
    return name; /* keep the slave open, so that a client that closes it causes no error */
}

/* Keep the board's own end open until the next plug. Otherwise the kernel could reuse its name for
 * another program's terminal while links still point to it, and a host would take that for this
 * board. */
void wire_unplug(void) {
    if (master >= 0) {
        close(master);
    }
    master = -1;
    wire_faults.unplug_after = -1;
}

bool wire_plugged(void) {
    return master >= 0;
}

void wire_restart(void) {
    queue_tail = queue_head;
    ready_for_input = true;
}

void wire_attach(void) {
    uint32_t flags = 0;
    avr_ioctl(avr, AVR_IOCTL_UART_GET_FLAGS('0'), &flags);
    flags &= ~(uint32_t)(AVR_UART_FLAG_STDIO | AVR_UART_FLAG_POLL_SLEEP);
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    avr_irq_register_notify(UART_IRQ(OUTPUT), on_output, NULL);
    avr_irq_register_notify(UART_IRQ(OUT_XON), on_xon, NULL);
    avr_irq_register_notify(UART_IRQ(OUT_XOFF), on_xoff, NULL);
}
