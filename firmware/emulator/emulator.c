/* The Nano's firmware in simavr, with its strips, lamps and serial line: `presence-emulator
 * presence.elf` reads commands and prints one line of answer for each.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later (linked with simavr; nothing of the companion is
 * linked with it)
 *
 * Without a pace the board's time passes only with `run`, so each run gives the same result. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <simavr/avr_extint.h>
#include <simavr/avr_ioport.h>
#include <simavr/avr_spi.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_elf.h>
#include <simavr/sim_hex.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../nano/pins.h"

#define CYCLES_PER_US 16
#define CYCLES_PER_MS (1000 * CYCLES_PER_US)
#define SLICE_CYCLES (CYCLES_PER_MS / 4)
#define MCUSR_ADDRESS 0x54
#define WDRF_BIT 8
#define SPL_ADDRESS 0x5d
#define PORTB_ADDRESS 0x25
#define PORTD_ADDRESS 0x2b
#define UCSR0A_ADDRESS 0xc0
#define U2X0_BIT 2
#define UBRR0_ADDRESS 0xc4
#define POWER 1
#define BROWN_OUT 4

#define IRQ_OF(port, bit) avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(#port[0]), bit)
#define BIT_OF_PORT(port, bit) (1 << bit)
#define PIN_IRQ(...) IRQ_OF(__VA_ARGS__)
#define PIN_BIT(...) BIT_OF_PORT(__VA_ARGS__)
#define UART_IRQ(name) avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_##name)
#define SPI_IRQ(name) avr_io_getirq(avr, AVR_IOCTL_SPI_GETIRQ(0), SPI_IRQ_##name)

static avr_t *avr;
static char violations[1024]; /* what would fail on a real board */

#define violation(...) \
    snprintf(violations + strlen(violations), sizeof violations - strlen(violations), __VA_ARGS__)

/* --- What a command sets by its name --------------------------------------------------------- */

static uint64_t strips = -1;  /* what the chain shifts out after LOAD, its first level in bit 55 */
static uint64_t flicker;      /* levels that change five times a second */
static uint64_t matrix;       /* reed switches in place of strips, row by row; bit 36: there are any */
static uint64_t reset_after, unplug_after; /* with which byte to the host; 0: never */

static const struct {
    const char *name;
    uint64_t *value;
} switches[] = {{"strips", &strips}, {"flicker", &flicker}, {"matrix", &matrix},
                {"reset-after", &reset_after}, {"unplug-after", &unplug_after}};

/* --- The strips, and the matrix -------------------------------------------------------------- */

static uint64_t chain; /* the levels that are still to shift out */
static bool chain_shifts;

static void on_load(avr_irq_t *irq, uint32_t value, void *param) {
    bool flickers = avr->cycle / (200 * CYCLES_PER_MS) % 2;
    chain_shifts = value;
    chain = strips ^ (flickers ? flicker : 0);
}

static void on_spi(avr_irq_t *irq, uint32_t value, void *param) {
    uint8_t byte = (uint8_t)(chain >> 8 * (CHAIN_CHIPS - 1));
    if (chain_shifts) {
        chain = chain << 8 | 0xff;
    }
    if (!(avr->data[PORTB_ADDRESS] & PIN_BIT(MISO_PIN))) {
        violation("DATA floats when no strip is there: its pull-up is off; ");
    }
    avr_raise_irq(SPI_IRQ(INPUT), byte);
}

/* A closed switch with its diode pulls its row (A0 to A5) down while its column (D2 to D7) is
 * driven low. */
static void on_columns(avr_irq_t *irq, uint32_t value, void *param) {
    uint8_t driven = (uint8_t)(value & ~avr->data[PORTD_ADDRESS]);
    for (int row = 0; matrix && row < 6; row++) {
        bool low = matrix >> 6 * row & driven >> 2 & 0x3f;
        avr_raise_irq(IRQ_OF(C, row), !low);
    }
}

/* --- The lamps: WS2812, by its datasheet 0.4 or 0.8 µs high (0.15 more or less), latched by a
 * pause of 50 µs or, in some, a tenth of it --------------------------------------------------- */

static uint8_t lamp_bytes[256]; /* since the last pause that made them light: green, red, blue each */
static size_t lamp_bits;

static void on_lamps(avr_irq_t *irq, uint32_t value, void *param) {
    static avr_cycle_count_t rise, fall;
    if (value == irq->value) {
        return;
    }
    if (value) {
        rise = avr->cycle;
        if (rise - fall > 50 * CYCLES_PER_US) {
            lamp_bits = 0;
        } else if (rise - fall > 5 * CYCLES_PER_US) {
            violation("the lamps' line rests for %d cycles within a chain; ", (int)(rise - fall));
        }
        return;
    }
    fall = avr->cycle;
    int high = (int)(fall - rise);
    if (high < 4 || (high > 8 && high < 11) || high > 15 || lamp_bits == 8 * sizeof lamp_bytes) {
        violation("the lamps' line is high for %d cycles; ", high);
    } else {
        uint8_t *byte = &lamp_bytes[lamp_bits++ / 8];
        *byte = (uint8_t)(*byte << 1 | (high > 9));
    }
}

/* --- Power and restarts ---------------------------------------------------------------------- */

static bool powered = true;
/* The cause of a restart that was requested within an instruction and is done between two, as in the
 * microcontroller's flags; -1: none. */
static int restart_cause = -1;

/* --- The serial line ------------------------------------------------------------------------- */

static int master = -1, slave = -1;
static uint8_t queue[1 << 16];
static uint16_t queue_head, queue_tail;
static bool ready_for_input = true;

static unsigned baud(void) {
    unsigned divider = avr->data[UBRR0_ADDRESS] + 1 + (avr->data[UBRR0_ADDRESS + 1] << 8);
    return avr->frequency / divider / (avr->data[UCSR0A_ADDRESS] & U2X0_BIT ? 8 : 16);
}

/* What a byte becomes when both ends have different speeds; not what a real one would become. */
static uint8_t at_the_speed(uint8_t byte) {
    unsigned host = 115200, board = baud();
    struct termios settings;
    if (master >= 0 && tcgetattr(master, &settings) == 0) {
        host = cfgetospeed(&settings) == B57600 ? 57600 : 115200;
    }
    return board > host / 20 * 19 && board < host / 20 * 21 ? byte : byte ^ 0xa5;
}

/* Pass bytes to the board. Call at least every quarter of a millisecond of the board's time. */
static void transfer_input(void) {
    uint8_t bytes[256];
    ssize_t count = master >= 0 && queue_head == queue_tail ? read(master, bytes, sizeof bytes) : 0;
    for (ssize_t i = 0; i < count; i++) {
        queue[queue_head++] = bytes[i];
    }
    while (ready_for_input && queue_head != queue_tail) {
        avr_raise_irq(UART_IRQ(INPUT), at_the_speed(queue[queue_tail++]));
    }
}

static void on_flow(avr_irq_t *irq, uint32_t value, void *is_on) {
    ready_for_input = is_on;
}

/* Also cuts the power. The board's own end stays open until the next plug: else the kernel could
 * reuse its name for another program's terminal while links still point to it, and a host would take
 * that for this board. */
static void unplug_board(void) {
    if (master >= 0) {
        close(master);
    }
    master = -1;
    unplug_after = 0;
    powered = false;
}

/* Unread bytes are lost, as on a real wire. */
static void on_output(avr_irq_t *irq, uint32_t value, void *param) {
    uint8_t byte = at_the_speed((uint8_t)value);
    if (unplug_after && !--unplug_after) {
        unplug_board();
    } else if (master < 0) {
        printf("%02x", byte);
    } else if (master >= 0 && write(master, &byte, 1) < 0 && errno != EAGAIN) {
        violation("the pseudo-terminal failed: %s; ", strerror(errno));
    }
    if (reset_after && !--reset_after) {
        restart_cause = BROWN_OUT;
    }
}

/* Open a pseudo-terminal and return its name. The board's end stays open too, so that a client that
 * closes it causes no error. */
static const char *plug_board(void) {
    static char name[64];
    struct termios raw = {.c_cflag = CREAD | B115200};
    int before = slave;
    if (master >= 0) {
        return name;
    }
    cfmakeraw(&raw);
    if (openpty(&master, &slave, name, &raw, NULL) < 0) {
        violation("no pseudo-terminal: %s; ", strerror(errno));
        return "";
    }
    if (before >= 0) {
        close(before);
    }
    fcntl(master, F_SETFL, fcntl(master, F_GETFL) | O_NONBLOCK);
    return name;
}

/* --- Running --------------------------------------------------------------------------------- */

static double pace; /* times real time; 0: stopped */
static uint16_t lowest_stack;
static avr_flashaddr_t hung_at; /* 0: not hung */
static uint8_t hung_code[2];

static void stay_awake(avr_t *mcu, avr_cycle_count_t how_long) {
}

static void keep_errors(avr_t *mcu, const int level, const char *format, va_list arguments) {
    char line[256];
    vsnprintf(line, sizeof line, format, arguments);
    if (level == LOG_ERROR) {
        violation("simavr: %.200s; ", line);
    }
}

static void restart_board(int cause) {
    avr_reset(avr);
    avr->data[MCUSR_ADDRESS] = (uint8_t)cause; /* simavr sets no cause itself */
    restart_cause = -1;
    queue_tail = queue_head;
    ready_for_input = true;
}

static void run_until(avr_cycle_count_t end) {
    while (avr->cycle < end && powered) {
        if (avr->pc == avr->reset_pc) {
            /* Or simavr checks a low pin in every cycle; each reset enables that again. */
            avr_extint_set_strict_lvl_trig(avr, 0, 0);
            avr_extint_set_strict_lvl_trig(avr, 1, 0);
        }
        int state = avr_run(avr);
        if (state == cpu_Done || state == cpu_Crashed) {
            violation("the microcontroller stopped (%d); ", state);
            restart_cause = 0;
        }
        uint16_t stack = (uint16_t)(avr->data[SPL_ADDRESS] | avr->data[SPL_ADDRESS + 1] << 8);
        if (stack >= 0x100 && stack < lowest_stack) {
            lowest_stack = stack;
        }
        bool started = avr->pc == 0;
        if (started && avr->data[MCUSR_ADDRESS] & WDRF_BIT) {
            violation("the watchdog has reset the chip: an old bootloader would not end; ");
        }
        if (hung_at && (started || restart_cause >= 0)) {
            memcpy(avr->flash + hung_at, hung_code, sizeof hung_code);
            hung_at = 0;
        }
        if (restart_cause >= 0) {
            restart_board(restart_cause);
        }
    }
}

/* Hang the program outside of its interrupts, like a fault of the firmware; its next start ends that. */
static void hang(void) {
    do {
        run_until(avr->cycle + 1);
    } while (powered && (!avr->sreg[S_I] || avr->state != cpu_Running));
    if (!powered) return;
    hung_at = avr->pc;
    memcpy(hung_code, avr->flash + hung_at, sizeof hung_code);
    memcpy(avr->flash + hung_at, "\xff\xcf", sizeof hung_code); /* rjmp to itself */
}

static void run_cycles(uint64_t cycles) {
    avr_cycle_count_t end = avr->cycle + cycles;
    while (avr->cycle < end && powered) {
        transfer_input();
        avr_cycle_count_t next = avr->cycle + SLICE_CYCLES;
        run_until(next < end ? next : end);
    }
}

static int64_t wall_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* Run the board at its pace until a command arrives. A delay is never caught up. */
static void run_paced(void) {
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    int64_t wall = wall_us();
    uint64_t cycles = avr->cycle;
    int rest = 0;
    while (powered && poll(&input, 1, rest) == 0) {
        run_cycles(4 * SLICE_CYCLES);
        int64_t ahead = (int64_t)((double)(avr->cycle - cycles) / CYCLES_PER_US / pace) - (wall_us() - wall);
        if (ahead < -20000) {
            wall = wall_us();
            cycles = avr->cycle;
        }
        rest = ahead > 0 ? (int)(ahead / 1000) : 0;
    }
}

/* --- Commands -------------------------------------------------------------------------------- */

static void print_hex(const uint8_t *bytes, size_t count) {
    while (count--) {
        printf("%02x", *bytes++);
    }
}

/* Lay a bootloader beside the program; resets begin in it. */
static void load_bootloader(const char *path) {
    ihex_chunk_p chunks = NULL;
    int count = read_ihex_chunks(path, &chunks);
    for (int i = 0; i < count; i++) {
        memcpy(avr->flash + chunks[i].baseaddr, chunks[i].data, chunks[i].size);
    }
    avr->reset_pc = count > 0 ? chunks[0].baseaddr : 0;
}

/* Do what a line says and print its answer; print nothing and return false for an unknown one. */
static bool handle_command(const char *verb, const char *word) {
    uint64_t number = strtoull(word, NULL, 0);
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++) {
        if (!strcmp(verb, switches[i].name)) {
            *switches[i].value = number;
            return true;
        }
    }
    if (!strcmp(verb, "run")) {
        run_cycles((uint64_t)(strtod(word, NULL) * CYCLES_PER_MS));
    } else if (!strcmp(verb, "pace")) {
        pace = strtod(word, NULL);
    } else if (!strcmp(verb, "send")) {
        for (unsigned byte; sscanf(word, "%2x", &byte) == 1; word += 2) {
            queue[queue_head++] = (uint8_t)byte;
        }
    } else if (!strcmp(verb, "plug")) {
        if (!powered) {
            powered = true;
            restart_board(POWER);
        }
        printf("%s", plug_board());
    } else if (!strcmp(verb, "unplug")) {
        unplug_board();
    } else if (!strcmp(verb, "reset")) {
        restart_board((int)number);
    } else if (!strcmp(verb, "hang")) {
        hang();
    } else if (!strcmp(verb, "bootloader")) {
        load_bootloader(word);
        return avr->reset_pc;
    } else if (!strcmp(verb, "erase")) {
        memset(avr->flash, 0xff, avr->reset_pc);
    } else if (!strcmp(verb, "flash")) {
        print_hex(avr->flash, number & 0x7fff);
    } else if (!strcmp(verb, "lamps")) {
        print_hex(lamp_bytes, lamp_bits / 8);
    } else if (!strcmp(verb, "state")) {
        printf("plugged=%d us=%llu baud=%u stack=%u", master >= 0, (unsigned long long)avr->cycle / CYCLES_PER_US,
               baud(), (unsigned)(avr->ramend - lowest_stack));
    } else if (!strcmp(verb, "violations")) {
        printf("%s", violations);
        violations[0] = 0;
    } else {
        return false;
    }
    return true;
}

/* --- The program ----------------------------------------------------------------------------- */

static bool load(const char *path) {
    static elf_firmware_t elf;
    uint32_t flags = 0;
    avr_global_logger_set(keep_errors);
    if (elf_read_firmware(path, &elf) != 0) {
        return false;
    }
    avr = avr_make_mcu_by_name("atmega328p");
    avr_init(avr);
    avr->log = LOG_ERROR;
    avr->sleep = stay_awake;
    avr_load_firmware(avr, &elf);
    avr->frequency = 1000000 * CYCLES_PER_US;
    lowest_stack = avr->ramend;
    avr_ioctl(avr, AVR_IOCTL_UART_GET_FLAGS('0'), &flags);
    flags &= ~(uint32_t)(AVR_UART_FLAG_STDIO | AVR_UART_FLAG_POLL_SLEEP);
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    avr_irq_register_notify(UART_IRQ(OUTPUT), on_output, NULL);
    avr_irq_register_notify(UART_IRQ(OUT_XON), on_flow, avr);
    avr_irq_register_notify(UART_IRQ(OUT_XOFF), on_flow, NULL);
    avr_irq_register_notify(SPI_IRQ(OUTPUT), on_spi, NULL);
    avr_irq_register_notify(PIN_IRQ(CHAIN_LOAD_PIN), on_load, NULL);
    avr_irq_register_notify(PIN_IRQ(LAMPS_PIN), on_lamps, NULL);
    avr_irq_register_notify(IRQ_OF(D, IOPORT_IRQ_DIRECTION_ALL), on_columns, NULL);
    return true;
}

int main(int count, char **arguments) {
    static char line[1 << 16];
    if (count != 2 || !load(arguments[1])) {
        fprintf(stderr, "usage: %s presence.elf\n", arguments[0]);
        return 2;
    }
    setvbuf(stdin, NULL, _IONBF, 0); /* or `poll` would not see a line that was read with the one before */
    restart_board(POWER);
    printf("ready\n");
    for (;;) {
        fflush(stdout);
        if (pace > 0 && powered) {
            run_paced();
        }
        if (!fgets(line, sizeof line, stdin)) {
            return 0;
        }
        char *verb = strtok(line, " \n"), *word = strtok(NULL, " \n");
        bool is_known = !verb || handle_command(verb, word ? word : "");
        printf(is_known ? " ok\n" : "error: not understood: %s\n", verb);
    }
}
