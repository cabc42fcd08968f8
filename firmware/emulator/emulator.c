/* The emulator as a program: `emulator board.elf` reads commands and prints one line of answer for
 * each.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Without a pace the board's time passes only with `run`, so each run gives the same result. */
#define _GNU_SOURCE
#include "emulator.h"

#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <simavr/avr_eeprom.h>
#include <simavr/sim_elf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SLICE_CYCLES (250 * CYCLES_PER_US)
#define MCUSR_ADDRESS 0x54
#define SPL_ADDRESS 0x5d
#define LONGEST_LINE (1 << 18)
#define MOST_WORDS 64

avr_t *avr;
uint64_t seed = 1;

static bool powered = true;
static double pace = -1; /* below 0: stopped; 0: full speed; else times real time */
static uint16_t lowest_stack;
static char violations[4096];
static bool restarting, hung;
static avr_flashaddr_t hung_at;
static uint8_t hung_code[2];
static uint8_t restart_cause;

/* --- Random numbers and violations ------------------------------------------------------------ */

uint32_t random_below(uint32_t below) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)((seed >> 16) % below);
}

bool happens(uint32_t parts_per_million) {
    return parts_per_million && random_below(1000000) < parts_per_million;
}

void violation(const char *format, ...) {
    size_t used = strlen(violations);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(violations + used, sizeof violations - used, format, arguments);
    va_end(arguments);
    used = strlen(violations);
    snprintf(violations + used, sizeof violations - used, "; ");
}

/* --- Running ----------------------------------------------------------------------------------------------------- */

static void stay_awake(avr_t *mcu, avr_cycle_count_t how_long) {
    (void)mcu, (void)how_long;
}

static void discard_log(avr_t *mcu, const int level, const char *format, va_list arguments) {
    (void)mcu;
    if (level == LOG_ERROR) {
        char line[256];
        vsnprintf(line, sizeof line, format, arguments);
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

/* Release the pins: everything around the microcontroller returns to its rest. */
static void release_pins(void) {
    board_restart();
    reader_restart();
    wire_restart();
}

static void restart_now(void) {
    restarting = false;
    avr_reset(avr);
    avr->data[MCUSR_ADDRESS] = restart_cause; /* simavr sets no reset cause itself */
    release_pins();
}

/* Hang the program where it is, like a fault of the firmware; a reset ends it. */
static void hang(void) {
    hung_at = avr->pc;
    memcpy(hung_code, avr->flash + hung_at, sizeof hung_code);
    memcpy(avr->flash + hung_at, "\xff\xcf", sizeof hung_code); /* rjmp to itself */
    hung = true;
}

static void resume_program(void) {
    if (hung) {
        memcpy(avr->flash + hung_at, hung_code, sizeof hung_code);
        hung = false;
    }
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
        if (hung) {
            avr->sreg[S_I] = 0;
        }
        if (avr->pc == 0 && !restarting) { /* the watchdog has fired: simavr has reset only the microcontroller */
            resume_program();
            release_pins();
        }
        if (restarting) {
            resume_program();
            restart_now();
        }
    }
}

static void run_cycles(uint64_t cycles) {
    avr_cycle_count_t end = avr->cycle + cycles;
    while (avr->cycle < end && powered) {
        wire_transfer();
        board_tick(avr->cycle / (1000 * CYCLES_PER_US));
        avr_cycle_count_t next = avr->cycle + SLICE_CYCLES;
        run_until(next < end ? next : end);
    }
}

/* --- Commands ---------------------------------------------------------------------------------------------------- */

static char *words[MOST_WORDS];
static int word_count;

static uint64_t number(int at) {
    return at < word_count ? strtoull(words[at], NULL, 0) : 0;
}

static size_t parse_hex(const char *text, uint8_t *bytes, size_t most) {
    size_t count = 0;
    for (; isxdigit(text[0]) && isxdigit(text[1]) && count < most; text += 2) {
        char pair[] = {text[0], text[1], 0};
        bytes[count++] = (uint8_t)strtoul(pair, NULL, 16);
    }
    return count;
}

static void print_hex(const uint8_t *bytes, size_t count) {
    while (count--) {
        printf("%02x", *bytes++);
    }
}

static void answer_sent(void) {
    const uint8_t *bytes;
    size_t count = wire_collected(&bytes);
    printf("ok ");
    print_hex(bytes, count);
    printf("\n");
    wire_forget();
}

static bool set_tag(void) {
    struct tag tag = {.afi = (uint8_t)number(2)};
    if (word_count != 4 || parse_hex(words[1], tag.uid, 8) != 8 || strlen(words[3]) != STRENGTHS) {
        return false;
    }
    for (int i = 0; i < STRENGTHS; i++) {
        tag.strengths[i] = (uint8_t)(words[3][i] - '0');
    }
    size_t at = 0;
    while (at < tag_count && memcmp(tags_there[at].uid, tag.uid, 8) != 0) {
        at++;
    }
    if (at == MOST_TAGS_THERE) {
        return false;
    }
    tags_there[at] = tag;
    tag_count += at == tag_count;
    return true;
}

static bool set_eeprom(void) {
    uint8_t bytes[256];
    avr_eeprom_desc_t some = {.ee = bytes, .offset = (uint16_t)number(1)};
    some.size = (uint32_t)parse_hex(word_count > 2 ? words[2] : "", bytes, sizeof bytes);
    return some.size && avr_ioctl(avr, AVR_IOCTL_EEPROM_SET, &some) != -2; /* simavr returns -1 on success */
}

static void print_eeprom(void) {
    uint8_t bytes[256];
    avr_eeprom_desc_t some = {.ee = bytes, .offset = (uint16_t)number(1), .size = (uint32_t)number(2) & 255};
    avr_ioctl(avr, AVR_IOCTL_EEPROM_GET, &some);
    printf("ok ");
    print_hex(bytes, some.size);
    printf("\n");
}

static bool set_rates(struct rates *rates) {
    rates->flipped = (uint32_t)number(1);
    rates->lost = (uint32_t)number(2);
    rates->extra = (uint32_t)number(3);
    return word_count == 4;
}

static bool plug(void) {
    if (!powered) {
        powered = true;
        restart_board(1);
        restart_now();
    }
    printf("ok %s\n", wire_plug());
    return true;
}

/* Print the answer and return true; return false for an unknown command. */
static bool handle_query(const char *verb) {
    if (!strcmp(verb, "run")) {
        run_cycles((uint64_t)(strtod(word_count > 1 ? words[1] : "0", NULL) * 1000 * CYCLES_PER_US));
        answer_sent();
    } else if (!strcmp(verb, "plug")) {
        return plug();
    } else if (!strcmp(verb, "state")) {
        printf("ok plugged=%d powered=%d us=%llu pending=%zu\n", wire_plugged(), powered,
               (unsigned long long)(avr->cycle / CYCLES_PER_US), wire_pending());
    } else if (!strcmp(verb, "memory")) {
        printf("ok ram=%u stack=%u\n", (unsigned)(avr->ramend + 1 - 0x100), (unsigned)(avr->ramend - lowest_stack));
    } else if (!strcmp(verb, "read-eeprom")) {
        print_eeprom();
    } else if (!strcmp(verb, "afi")) {
        printf("ok");
        for (size_t i = 0; i < tag_count; i++) {
            printf(" ");
            print_hex(tags_there[i].uid, 8);
            printf("=%02x", tags_there[i].afi);
        }
        printf("\n");
    } else if (!strcmp(verb, "violations")) {
        printf("ok %s\n", violations);
    } else {
        return false;
    }
    return true;
}

static bool handle_switch(const char *verb) {
    const struct {
        const char *name;
        uint64_t *inputs;
    } masks[] = {{"cells", &contacts.closed},
                 {"stuck-on", &contacts.stuck_on},
                 {"stuck-off", &contacts.stuck_off},
                 {"flicker", &contacts.flickering}};
    for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
        if (!strcmp(verb, masks[i].name)) {
            *masks[i].inputs = number(1);
            return word_count == 2;
        }
    }
    if (!strcmp(verb, "tag")) {
        return set_tag();
    } else if (!strcmp(verb, "no-tags")) {
        tag_count = 0;
    } else if (!strcmp(verb, "reader")) {
        reader_switches.fault = (enum reader_fault)number(1);
    } else if (!strcmp(verb, "open-loops")) {
        reader_switches.open_loops = (uint32_t)number(1);
    } else if (!strcmp(verb, "missed")) {
        reader_switches.missed_ppm = (uint32_t)number(1);
    } else if (!strcmp(verb, "late")) {
        reader_switches.late_us = (uint32_t)number(1);
    } else if (!strcmp(verb, "capture")) {
        reader_switches.capture = (unsigned)number(1);
    } else {
        return false;
    }
    return true;
}

static bool handle_wire(const char *verb) {
    if (!strcmp(verb, "send")) {
        static uint8_t bytes[LONGEST_LINE / 2];
        wire_push(bytes, parse_hex(word_count > 1 ? words[1] : "", bytes, sizeof bytes));
    } else if (!strcmp(verb, "noise-in")) {
        return set_rates(&wire_faults.in);
    } else if (!strcmp(verb, "noise-out")) {
        return set_rates(&wire_faults.out);
    } else if (!strcmp(verb, "frames")) {
        wire_faults.frame_lost = (uint32_t)number(1);
        wire_faults.frame_doubled = (uint32_t)number(2);
        wire_faults.frame_torn = (uint32_t)number(3);
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
    } else {
        return false;
    }
    return true;
}

static bool handle_machine(const char *verb) {
    if (!strcmp(verb, "pace")) {
        pace = strtod(word_count > 1 ? words[1] : "-1", NULL);
    } else if (!strcmp(verb, "seed")) {
        seed = number(1) * 2654435761u + 88172645463325252ull;
    } else if (!strcmp(verb, "eeprom")) {
        return set_eeprom();
    } else if (!strcmp(verb, "hang")) {
        hang();
    } else if (!strcmp(verb, "supply")) {
        avr->vcc = avr->avcc = (uint32_t)number(1);
    } else {
        return false;
    }
    return true;
}

static void handle_command(char *line) {
    word_count = 0;
    for (char *word = strtok(line, " \n"); word && word_count < MOST_WORDS; word = strtok(NULL, " \n")) {
        words[word_count++] = word;
    }
    if (!word_count || handle_query(words[0])) {
        return;
    }
    bool known = handle_switch(words[0]) || handle_wire(words[0]) || handle_machine(words[0]);
    printf(known ? "ok\n" : "error: not understood: %s\n", words[0]);
}

/* --- The program ------------------------------------------------------------------------------------------------- */

static uint64_t wall_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/* Wait for the next line of input; return it without its end, NULL at the end of the input. */
static char *next_line(void) {
    static char buffer[2 * LONGEST_LINE];
    static size_t begin, end;
    for (;;) {
        char *stop = memchr(buffer + begin, '\n', end - begin);
        if (stop) {
            char *line = buffer + begin;
            *stop = 0;
            begin = (size_t)(stop + 1 - buffer);
            return line;
        }
        memmove(buffer, buffer + begin, end - begin);
        end -= begin;
        begin = 0;
        ssize_t count = end < sizeof buffer ? read(STDIN_FILENO, buffer + end, sizeof buffer - end) : 0;
        if (count <= 0) {
            return NULL;
        }
        end += (size_t)count;
    }
}

/* Run the board at its pace until a command arrives. A delay is never caught up. */
static void run_paced(void) {
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    uint64_t wall = wall_us(), cycles = avr->cycle;
    unsigned slices = 0;
    while (powered) {
        run_cycles(SLICE_CYCLES);
        int64_t ahead = 0;
        if (pace > 0) {
            ahead = (int64_t)((double)(avr->cycle - cycles) / CYCLES_PER_US / pace) - (int64_t)(wall_us() - wall);
            if (ahead < -20000) {
                wall = wall_us();
                cycles = avr->cycle;
            }
        }
        if (ahead > 100) {
            struct timespec rest = {0, ahead * 1000};
            if (ppoll(&input, 1, &rest, NULL) > 0) {
                return;
            }
        } else if (++slices % 16 == 0 && poll(&input, 1, 0) > 0) {
            return;
        }
    }
}

static bool load(const char *path) {
    static elf_firmware_t elf;
    if (elf_read_firmware(path, &elf) != 0) {
        return false;
    }
#if defined(BOARD_PRESENCE)
    avr = avr_make_mcu_by_name("atmega328p");
#else
    avr = avr_make_mcu_by_name("atmega2560");
#endif
    avr_init(avr);
    avr->frequency = 16000000;
    avr->vcc = avr->avcc = avr->aref = 5000;
    avr->sleep = stay_awake;
    avr->log = LOG_ERROR;
    avr_load_firmware(avr, &elf);
    avr->frequency = 16000000;
    lowest_stack = avr->ramend;
    return true;
}

int main(int count, char **arguments) {
    static char output[1 << 16];
    avr_global_logger_set(discard_log);
    if (count != 2 || !load(arguments[1])) {
        fprintf(stderr, "usage: %s board.elf\n", arguments[0]);
        return 2;
    }
    setvbuf(stdout, output, _IOFBF, sizeof output);
    board_attach();
    reader_attach();
    wire_attach();
    restart_board(1);
    restart_now();
    printf("ready\n");
    fflush(stdout);
    for (;;) {
        if (pace >= 0 && powered) {
            run_paced();
        }
        char *line = next_line();
        if (!line || !strcmp(line, "quit")) {
            return 0;
        }
        handle_command(line);
        fflush(stdout);
    }
}
