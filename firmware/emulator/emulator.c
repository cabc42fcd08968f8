/* The Nano's firmware in simavr, with its strips, lamps and serial line: `presence-emulator
 * presence.elf` reads commands and prints one line of answer for each.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later (linked with simavr; nothing of the companion is
 * linked with it)
 *
 * Without a pace the board's time passes only with `run`, so each run gives the same result. */
#define _GNU_SOURCE
#include "emulator.h"

#include <ctype.h>
#include <poll.h>
#include <simavr/avr_extint.h>
#include <simavr/sim_elf.h>
#include <simavr/sim_hex.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SLICE_CYCLES (250 * CYCLES_PER_US)
#define MCUSR_ADDRESS 0x54
#define WDRF_BIT 8
#define SPL_ADDRESS 0x5d
#define MOST_WORDS 8

avr_t *avr;

static bool powered = true, restarting, hang_asked, hung;
static double pace; /* times real time; 0: stopped */
static uint16_t lowest_stack;
static char violations[1024];
static avr_flashaddr_t hung_at;
static uint8_t hung_code[2], restart_cause;

void violation(const char *format, ...) {
    size_t used = strlen(violations);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(violations + used, sizeof violations - used, format, arguments);
    va_end(arguments);
    used = strlen(violations);
    snprintf(violations + used, sizeof violations - used, "; ");
}

/* --- Running --------------------------------------------------------------------------------- */

static void stay_awake(avr_t *mcu, avr_cycle_count_t how_long) {
    (void)mcu, (void)how_long;
}

static void keep_errors(avr_t *mcu, const int level, const char *format, va_list arguments) {
    char line[256];
    (void)mcu;
    vsnprintf(line, sizeof line, format, arguments);
    if (level == LOG_ERROR) {
        violation("simavr: %.200s", line);
    }
}

/* Requested within an instruction, done between two. */
void restart_board(uint8_t cause) {
    restarting = true;
    restart_cause = cause;
}

void unplug_board(void) {
    wire_unplug();
    powered = false;
}

/* simavr checks a low pin for a level interrupt in every cycle; each reset enables that again. */
static void ignore_levels(void) {
    for (char i = 0; i < 2; i++) {
        avr_extint_set_strict_lvl_trig(avr, (uint8_t)i, 0);
    }
}

static void restart_now(void) {
    restarting = false;
    avr_reset(avr);
    avr->data[MCUSR_ADDRESS] = restart_cause; /* simavr sets no cause itself */
    ignore_levels();
    wire_restart();
}

/* Hang the program where it is, like a fault of the firmware; its next start ends that. */
static void hang(void) {
    hung_at = avr->pc;
    memcpy(hung_code, avr->flash + hung_at, sizeof hung_code);
    memcpy(avr->flash + hung_at, "\xff\xcf", sizeof hung_code); /* rjmp to itself */
    hung = true;
    hang_asked = false;
}

static void run_until(avr_cycle_count_t end) {
    while (avr->cycle < end && powered) {
        int state = avr_run(avr);
        if (state == cpu_Done || state == cpu_Crashed) {
            violation("the microcontroller stopped (%d)", state);
            restart_board(0);
        }
        uint16_t stack = (uint16_t)(avr->data[SPL_ADDRESS] | avr->data[SPL_ADDRESS + 1] << 8);
        if (stack >= 0x100 && stack < lowest_stack) {
            lowest_stack = stack;
        }
        if (hang_asked && avr->sreg[S_I] && state == cpu_Running) {
            hang();
        }
        bool started = avr->pc == 0;
        if (started && avr->data[MCUSR_ADDRESS] & WDRF_BIT) {
            violation("the watchdog has reset the chip: an old bootloader would not end");
        }
        if (avr->pc == avr->reset_pc) {
            ignore_levels();
        }
        if (hung && (started || restarting)) {
            memcpy(avr->flash + hung_at, hung_code, sizeof hung_code);
            hung = false;
        }
        if (restarting) {
            restart_now();
        }
    }
}

static void run_cycles(uint64_t cycles) {
    avr_cycle_count_t end = avr->cycle + cycles;
    while (avr->cycle < end && powered) {
        wire_transfer();
        strips_tick(avr->cycle / (1000 * CYCLES_PER_US));
        avr_cycle_count_t next = avr->cycle + SLICE_CYCLES;
        run_until(next < end ? next : end);
    }
}

/* --- Commands -------------------------------------------------------------------------------- */

static char *words[MOST_WORDS];
static int word_count;

static uint64_t number(int at) {
    return at < word_count ? strtoull(words[at], NULL, 0) : 0;
}

static void print_hex(const uint8_t *bytes, size_t count) {
    printf("ok ");
    while (count--) {
        printf("%02x", *bytes++);
    }
    printf("\n");
}

static void send_hex(const char *text) {
    for (; isxdigit(text[0]) && isxdigit(text[1]); text += 2) {
        char pair[] = {text[0], text[1], 0};
        wire_push((uint8_t)strtoul(pair, NULL, 16));
    }
}

/* Lay a bootloader beside the program; resets begin in it. */
static bool load_bootloader(const char *path) {
    ihex_chunk_p chunks = NULL;
    int count = read_ihex_chunks(path, &chunks);
    for (int i = 0; i < count; i++) {
        memcpy(avr->flash + chunks[i].baseaddr, chunks[i].data, chunks[i].size);
    }
    avr->reset_pc = count > 0 ? chunks[0].baseaddr : 0;
    return count > 0;
}

/* Print the answer and return true; return false for another command. */
static bool handle_query(const char *verb) {
    const uint8_t *bytes;
    if (!strcmp(verb, "run")) {
        wire_forget();
        run_cycles((uint64_t)(strtod(word_count > 1 ? words[1] : "0", NULL) * 1000 * CYCLES_PER_US));
        size_t count = wire_collected(&bytes);
        print_hex(bytes, count);
    } else if (!strcmp(verb, "plug")) {
        if (!powered) {
            powered = true;
            restart_board(1);
            restart_now();
        }
        printf("ok %s\n", wire_plug());
    } else if (!strcmp(verb, "state")) {
        printf("ok plugged=%d us=%llu baud=%u\n", wire_plugged(), (unsigned long long)(avr->cycle / CYCLES_PER_US), wire_baud());
    } else if (!strcmp(verb, "memory")) {
        printf("ok stack=%u\n", (unsigned)(avr->ramend - lowest_stack));
    } else if (!strcmp(verb, "lamps")) {
        size_t count = lamps_lit(&bytes);
        print_hex(bytes, count);
    } else if (!strcmp(verb, "flash")) {
        print_hex(avr->flash, number(1) & 0x7fff);
    } else if (!strcmp(verb, "violations")) {
        printf("ok %s\n", violations);
        violations[0] = 0;
    } else {
        return false;
    }
    return true;
}

static bool handle_order(const char *verb) {
    if (!strcmp(verb, "send")) {
        send_hex(word_count > 1 ? words[1] : "");
    } else if (!strcmp(verb, "silence")) {
        wire_faults.silence = number(1);
    } else if (!strcmp(verb, "reset")) {
        restart_board((uint8_t)number(1));
        restart_now();
    } else if (!strcmp(verb, "reset-after")) {
        wire_faults.reset_after = (long)number(1);
        wire_faults.reset_cause = (uint8_t)number(2);
    } else if (!strcmp(verb, "unplug")) {
        unplug_board();
    } else if (!strcmp(verb, "unplug-after")) {
        wire_faults.unplug_after = (long)number(1);
    } else if (!strcmp(verb, "pace")) {
        pace = strtod(word_count > 1 ? words[1] : "0", NULL);
    } else if (!strcmp(verb, "bootloader")) {
        return word_count > 1 && load_bootloader(words[1]);
    } else if (!strcmp(verb, "erase")) {
        memset(avr->flash, 0xff, avr->reset_pc);
    } else if (!strcmp(verb, "hang")) {
        hang_asked = true;
    } else {
        return strips_set(verb, number(1));
    }
    return true;
}

static void handle_command(char *line) {
    word_count = 0;
    for (char *word = strtok(line, " \n"); word && word_count < MOST_WORDS; word = strtok(NULL, " \n")) {
        words[word_count++] = word;
    }
    if (word_count && !handle_query(words[0])) {
        printf(handle_order(words[0]) ? "ok\n" : "error: not understood: %s\n", words[0]);
    }
}

/* --- The program ----------------------------------------------------------------------------- */

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

static bool load(const char *path) {
    static elf_firmware_t elf;
    if (elf_read_firmware(path, &elf) != 0) {
        return false;
    }
    avr = avr_make_mcu_by_name("atmega328p");
    avr_init(avr);
    avr->log = LOG_ERROR;
    avr->sleep = stay_awake;
    avr_load_firmware(avr, &elf);
    avr->frequency = 1000000 * CYCLES_PER_US;
    avr->vcc = avr->avcc = avr->aref = 5000;
    lowest_stack = avr->ramend;
    return true;
}

/* Unbuffered, or `poll` would not see a line that was read with the one before. */
static bool read_line(char *line, size_t most) {
    for (size_t count = 0; count < most && read(STDIN_FILENO, line + count, 1) == 1; count++) {
        if (line[count] == '\n') {
            line[count] = 0;
            return true;
        }
    }
    return false;
}

int main(int count, char **arguments) {
    static char line[1 << 16];
    avr_global_logger_set(keep_errors);
    if (count != 2 || !load(arguments[1])) {
        fprintf(stderr, "usage: %s presence.elf\n", arguments[0]);
        return 2;
    }
    strips_attach();
    wire_attach();
    restart_board(1);
    restart_now();
    printf("ready\n");
    fflush(stdout);
    for (;;) {
        if (pace > 0 && powered) {
            run_paced();
        }
        if (!read_line(line, sizeof line)) {
            return 0;
        }
        handle_command(line);
        fflush(stdout);
    }
}
