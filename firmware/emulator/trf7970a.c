/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <simavr/avr_ioport.h>
#include <simavr/sim_time.h>
#include <string.h>

#include "emulator.h"

struct tag tags_there[MOST_TAGS_THERE];
size_t tag_count;
struct reader_switches reader_switches;

#if HAS_READER

/* Registers, their bits and when interrupts come: SLOS743M, sections 6.14 (sending) and 6.15.3.3 (status registers). */
#define CHIP_STATUS 0x00
#define CARRIER 0x20
#define ISO_CONTROL 0x01
#define NO_RESPONSE_WAIT 0x07
#define MODULATOR 0x09
#define IRQ_STATUS 0x0c
#define IRQ_MASK 0x0d
#define RSSI 0x0f
#define FIFO_LEVELS 0x14
#define TARGET_LEVEL 0x18
#define FIFO_STATUS 0x1c
#define TX_LENGTH_1 0x1d
#define TX_LENGTH_2 0x1e
#define FIFO 0x1f

#define IRQ_SENT 0x80
#define IRQ_RECEIVED 0x40
#define IRQ_FIFO 0x20
#define IRQ_COLLISION 0x02
#define IRQ_NO_RESPONSE 0x01

/* Durations on the air, in microseconds. */
#define START_US 1000
#define START_OF_FRAME_US 76
#define BYTE_US 302
#define CRC_BYTES 2
#define END_OF_FRAME_US 38
#define ANSWER_AFTER_US 320
#define ANSWER_US 3930
#define SHORT_ANSWER_US 1250
#define WRITING_US 5000

#define SOUND_LEVEL 5

static uint8_t registers[32];
static uint8_t fifo[127];
static size_t fifo_length;
static uint8_t irq_status;
static bool irq_requested;
static bool enabled, selected;
static avr_cycle_count_t enabled_at;
static enum { AT_COMMAND, AT_DATA } spi_state;
static uint8_t address;
static bool reading, continuous, status_was_read, transmit_commanded, sending, frame_cut;
static unsigned slot;
static uint8_t request[127];
static size_t request_length;

static struct {
    uint8_t status, bytes[16], rssi;
    size_t length;
    unsigned us;
} coming; /* the answer being sent */

static void drive_irq(void) {
    bool high = irq_requested;
    if (reader_switches.fault == READER_IRQ_LOW || reader_switches.fault == READER_DEAD) {
        high = false;
    }
    if (reader_switches.fault == READER_IRQ_HIGH) {
        high = true;
    }
    avr_raise_irq(PIN_IRQ(READER_IRQ), high);
}

/* Set flags in the status register and raise the pin. Sending and receiving set their flags at the
 * start, without the pin, and request the interrupt at the end. */
static void request_irq(uint8_t status) {
    irq_status |= status;
    irq_requested = true;
    drive_irq();
}

static void clear_irq(void) {
    irq_status = 0;
    irq_requested = false;
    drive_irq();
}

static void stop_radio(void);

static void power_on(void) {
    memset(registers, 0, sizeof registers);
    registers[CHIP_STATUS] = 0x01;
    registers[ISO_CONTROL] = 0x21;
    registers[NO_RESPONSE_WAIT] = 0x0e;
    registers[MODULATOR] = 0x91;
    registers[IRQ_MASK] = 0x3e;
    registers[TARGET_LEVEL] = 0x07; /* any value but 0: an erratum; both public drivers write 0 */
    fifo_length = 0;
    transmit_commanded = sending = false;
    stop_radio();
    clear_irq();
}

bool reader_selected(void) {
    return selected;
}

bool reader_on_air(void) {
    return enabled && reader_switches.fault != READER_DEAD && (registers[CHIP_STATUS] & CARRIER);
}

/* --- On the air -------------------------------------------------------------------------------------------------- */

static uint8_t strength_of(const struct tag *tag) {
    int loop = board_loop();
    if (loop < 0 || loop >= STRENGTHS || !reader_on_air() || (reader_switches.open_loops >> loop & 1)) {
        return 0;
    }
    return tag->strengths[loop];
}

static bool is_valid_command(void) {
    return registers[ISO_CONTROL] == 0x02 && (registers[MODULATOR] & 7) == 1;
}

static bool same_bits(const uint8_t *a, const uint8_t *b, unsigned bits) {
    for (unsigned i = 0; i < bits; i++) {
        if ((a[i / 8] ^ b[i / 8]) >> i % 8 & 1) {
            return false;
        }
    }
    return true;
}

static unsigned slot_of(const struct tag *tag, unsigned bits) {
    unsigned number = 0;
    for (unsigned i = 0; i < 4; i++) {
        number |= (tag->uid[(bits + i) / 8] >> (bits + i) % 8 & 1u) << i;
    }
    return number;
}

static avr_cycle_count_t received(avr_t *mcu, avr_cycle_count_t when, void *param) {
    (void)mcu, (void)when, (void)param;
    for (size_t i = 0; i < coming.length && fifo_length < sizeof fifo; i++) {
        fifo[fifo_length++] = coming.bytes[i];
    }
    registers[RSSI] = coming.rssi;
    request_irq(coming.status);
    return 0;
}

static avr_cycle_count_t no_response(avr_t *mcu, avr_cycle_count_t when, void *param) {
    (void)mcu, (void)when, (void)param;
    if (registers[IRQ_MASK] & IRQ_NO_RESPONSE) {
        request_irq(IRQ_NO_RESPONSE);
    }
    return 0;
}

/* The start of an answer stops the timer of "no response". If that timer has just expired, both
 * flags are set. */
static avr_cycle_count_t answer_begins(avr_t *mcu, avr_cycle_count_t when, void *param) {
    (void)mcu, (void)when, (void)param;
    irq_status |= IRQ_RECEIVED;
    avr_cycle_timer_cancel(avr, no_response, NULL);
    avr_cycle_timer_register_usec(avr, coming.us, received, NULL);
    return 0;
}

static void stop_receiving(void) {
    avr_cycle_timer_cancel(avr, no_response, NULL);
    avr_cycle_timer_cancel(avr, answer_begins, NULL);
    avr_cycle_timer_cancel(avr, received, NULL);
}

/* Schedule an answer of `us` microseconds that begins `after_us` after the request's end. */
static void schedule_response(unsigned after_us, unsigned us, uint8_t status, const uint8_t *bytes, size_t length, uint8_t rssi) {
    coming.status = status;
    coming.length = length;
    if (length) {
        memcpy(coming.bytes, bytes, length);
    }
    coming.rssi = rssi;
    coming.us = us;
    avr_cycle_timer_register_usec(avr, after_us + reader_switches.late_us, answer_begins, NULL);
}

/* Return the tag received in a slot: the only one, or one much stronger than the others. NULL: a
 * collision. */
static const struct tag *answering_tag(const struct tag **answering, size_t count) {
    const struct tag *best = answering[0];
    for (size_t i = 1; i < count; i++) {
        if (strength_of(answering[i]) > strength_of(best)) {
            best = answering[i];
        }
    }
    for (size_t i = 0; i < count; i++) {
        bool drowned = reader_switches.capture && strength_of(answering[i]) + reader_switches.capture <= strength_of(best);
        if (answering[i] != best && !drowned) {
            return NULL;
        }
    }
    return best;
}

static void answer_slot(void) {
    bool by_class = request[0] & 0x10, one_slot = request[0] & 0x20;
    uint8_t afi = by_class ? request[2] : 0;
    const uint8_t *mask = request + (by_class ? 4 : 3);
    unsigned bits = mask[-1];
    const struct tag *answering[MOST_TAGS_THERE];
    size_t count = 0;
    for (size_t i = 0; i < tag_count; i++) {
        const struct tag *tag = &tags_there[i];
        if (strength_of(tag) && (!afi || tag->afi == afi) && same_bits(mask, tag->uid, bits) &&
            (one_slot || slot_of(tag, bits) == slot) && !happens(reader_switches.missed_ppm)) {
            answering[count++] = tag;
        }
    }
    if (!count) {
        return;
    }
    const struct tag *tag = answering_tag(answering, count);
    if (!tag) {
        schedule_response(ANSWER_AFTER_US, ANSWER_US, IRQ_RECEIVED | IRQ_COLLISION, NULL, 0, 0);
        return;
    }
    uint8_t bytes[10] = {0, 0};
    memcpy(bytes + 2, tag->uid, 8);
    schedule_response(ANSWER_AFTER_US, ANSWER_US, IRQ_RECEIVED, bytes, sizeof bytes, strength_of(tag) - 1);
}

static void answer_write(void) {
    for (size_t i = 0; i < tag_count; i++) {
        if (strength_of(&tags_there[i]) && memcmp(tags_there[i].uid, request + 2, 8) == 0) {
            static const uint8_t done[1];
            tags_there[i].afi = request[10];
            uint8_t rssi = strength_of(&tags_there[i]) - 1;
            schedule_response(WRITING_US + ANSWER_AFTER_US, SHORT_ANSWER_US, IRQ_RECEIVED, done, sizeof done, rssi);
            return;
        }
    }
}

static void answer_request(void) {
    bool inventory = request_length >= 3 && (request[0] & 0xcf) == 0x06 && request[1] == 0x01;
    bool write = request_length == 11 && request[0] == 0x22 && request[1] == 0x27;
    if (!reader_on_air() || !is_valid_command() || frame_cut) {
        return;
    }
    if (inventory) {
        answer_slot();
    } else if (write) {
        answer_write();
    } else {
        violation("no tag understands a request of %zu bytes, %02x %02x", request_length, request[0], request[1]);
    }
}

static avr_cycle_count_t sent(avr_t *mcu, avr_cycle_count_t when, void *param) {
    (void)mcu, (void)when, (void)param;
    sending = false;
    request_irq(IRQ_SENT);
    avr_cycle_timer_register_usec(avr, registers[NO_RESPONSE_WAIT] * 3776 / 100, no_response, NULL);
    answer_request();
    return 0;
}

static void begin_sending(void) {
    stop_radio();
    irq_status |= IRQ_SENT;
    sending = true;
    registers[RSSI] = 0;
}

/* Sending takes bytes from the FIFO. A request above the FIFO's low level interrupts when that is
 * reached. */
static avr_cycle_count_t byte_leaves(avr_t *mcu, avr_cycle_count_t when, void *param) {
    (void)mcu, (void)param;
    if (!fifo_length) {
        return 0;
    }
    memmove(fifo, fifo + 1, --fifo_length);
    if (fifo_length == 4u << (registers[FIFO_LEVELS] & 3)) {
        request_irq(IRQ_FIFO);
    }
    return when + BYTE_US * CYCLES_PER_US;
}

static void transmit(void) {
    transmit_commanded = false;
    memcpy(request, fifo, fifo_length);
    request_length = fifo_length;
    slot = 0;
    frame_cut = false;
    begin_sending();
    avr_cycle_timer_register_usec(avr, START_OF_FRAME_US, byte_leaves, NULL);
    unsigned bytes_us = (request_length + CRC_BYTES) * BYTE_US;
    avr_cycle_timer_register_usec(avr, START_OF_FRAME_US + bytes_us + END_OF_FRAME_US, sent, NULL);
}

static void stop_radio(void) {
    avr_cycle_timer_cancel(avr, byte_leaves, NULL);
    avr_cycle_timer_cancel(avr, sent, NULL);
    stop_receiving();
}

static void reset_fifo(void) {
    if (sending && fifo_length) {
        frame_cut = true;
        if (reader_switches.fault != READER_IRQ_HIGH) { /* the firmware cannot detect a stuck wire */
            violation("the FIFO is reset while %zu bytes of it are to be sent", fifo_length);
        }
    }
    fifo_length = 0;
}

static void next_slot(void) {
    if (++slot > 15) {
        violation("slot %u", slot);
    }
    begin_sending();
    avr_cycle_timer_register_usec(avr, END_OF_FRAME_US, sent, NULL);
}

/* --- On the bus -------------------------------------------------------------------------------------------------- */

static void test_internal_rf(void) {
    int loop = board_loop();
    bool sound = loop >= 0 && reader_on_air() && !(reader_switches.open_loops >> loop & 1);
    registers[RSSI] = sound ? SOUND_LEVEL : 0;
}

static void command(uint8_t code) {
    switch (code) {
    case 0x00:
    case 0x16:
    case 0x17:
        break;
    case 0x03:
        power_on();
        break;
    case 0x0f:
        reset_fifo();
        break;
    case 0x11:
        transmit_commanded = true;
        break;
    case 0x14:
        next_slot();
        break;
    case 0x18:
        test_internal_rf();
        break;
    default:
        violation("direct command %02x is not modelled", code);
    }
}

static uint8_t read_register(uint8_t at) {
    uint8_t value = registers[at];
    if (status_was_read && at == IRQ_STATUS + 1) {
        clear_irq(); /* reading beyond the status clears it */
    }
    status_was_read = at == IRQ_STATUS;
    switch (at) {
    case IRQ_STATUS:
        return irq_status;
    case FIFO_STATUS:
        return (uint8_t)fifo_length;
    case FIFO:
        if (!fifo_length) {
            violation("an empty FIFO is read");
            return 0;
        }
        value = fifo[0];
        memmove(fifo, fifo + 1, --fifo_length);
        return value;
    }
    return value;
}

static void write_control(uint8_t at, uint8_t value) {
    registers[at] = value;
    if (at == ISO_CONTROL) {
        clear_irq();
    }
    if (at == CHIP_STATUS && (value & CARRIER) && registers[TARGET_LEVEL]) {
        violation("the carrier is switched on while register 18 is %02x", registers[TARGET_LEVEL]);
    }
}

static void write_register(uint8_t at, uint8_t value) {
    if (at != FIFO) {
        write_control(at, value);
        return;
    }
    if (fifo_length < sizeof fifo) {
        fifo[fifo_length++] = value;
    }
    size_t wanted = registers[TX_LENGTH_1] << 4 | registers[TX_LENGTH_2] >> 4;
    if (transmit_commanded && fifo_length == wanted) {
        transmit();
    }
}

uint8_t reader_swap(uint8_t byte) {
    if (!enabled || reader_switches.fault == READER_DEAD) {
        return 0;
    }
    if (avr->cycle - enabled_at < START_US * CYCLES_PER_US) {
        violation("the reader is spoken to before its crystal runs");
        return 0;
    }
    if (spi_state == AT_COMMAND) {
        status_was_read = false;
        if (byte & 0x80) {
            command(byte & 0x1f);
        } else {
            address = byte & 0x1f;
            reading = byte & 0x40;
            continuous = byte & 0x20;
            spi_state = AT_DATA;
        }
        return 0;
    }
    uint8_t answer = 0;
    if (reading) {
        answer = read_register(address);
    } else {
        write_register(address, byte);
    }
    if (!continuous) {
        spi_state = AT_COMMAND;
    } else if (address != FIFO) {
        address++;
    }
    return answer;
}

static void on_select(avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq, (void)param;
    selected = !value;
    spi_state = AT_COMMAND;
}

static void on_enable(avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq, (void)param;
    if (value && !enabled) {
        enabled_at = avr->cycle;
        power_on();
    }
    enabled = value;
}

void reader_attach(void) {
    avr_irq_register_notify(PIN_IRQ(READER_SELECT), on_select, NULL);
    avr_irq_register_notify(PIN_IRQ(READER_ENABLE), on_enable, NULL);
}

/* A restart of the microcontroller releases the pins: the chip is switched off. */
void reader_restart(void) {
    enabled = selected = false;
    power_on();
}

#else

void reader_attach(void) {
}

void reader_restart(void) {
}

bool reader_selected(void) {
    return false;
}

bool reader_on_air(void) {
    return false;
}

uint8_t reader_swap(uint8_t byte) {
    return byte;
}

#endif
