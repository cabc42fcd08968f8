#include "trf7970a.h"

#include "hardware.h"

#if HAS_READER

#include <util/delay.h>

#include "clock.h"

/* Registers. */
#define CHIP_STATUS 0x00
#define ISO_CONTROL 0x01
#define NO_RESPONSE_WAIT 0x07
#define MODULATOR 0x09
#define IRQ_STATUS 0x0c
#define IRQ_MASK 0x0d
#define RSSI 0x0f
#define TARGET_LEVEL 0x18
#define FIFO_STATUS 0x1c
#define TX_LENGTH 0x1d
#define FIFO 0x1f
#define FIFO_COUNT 0x7f /* of FIFO_STATUS */

/* The first byte of each SPI transfer. */
#define READ 0x40
#define CONTINUOUS 0x20
#define COMMAND 0x80

/* Direct commands. */
#define SOFTWARE_INIT 0x03
#define IDLE 0x00
#define RESET_FIFO 0x0f
#define TRANSMIT_WITH_CRC 0x11
#define NEXT_SLOT 0x14
#define BLOCK_RECEIVER 0x16
#define ENABLE_RECEIVER 0x17
#define TEST_INTERNAL_RF 0x18

/* Values. */
#define SUPPLY (READER_MILLIVOLTS > 4000) /* bit 0: the chip runs at 5 V, otherwise at 3.3 V */
#define CARRIER 0x20
#define ISO15693_HIGH_RATE 0x02 /* one subcarrier, 1 out of 4; answers with CRC, which the chip checks and strips */
#define OOK_NO_CLOCK_OUT 0x01   /* 13.56 MHz crystal */
#define ALL_INTERRUPTS 0x3f     /* "no response" is disabled after a reset */
#define SLOT_WAIT 14            /* × 37.76 µs = 529 µs: a tag answers 320 µs after the start of a slot */
#define WRITE_WAIT 255          /* 9.6 ms: a tag needs some milliseconds to write */

/* Interrupts. */
#define IRQ_SENT 0x80
#define IRQ_RECEIVED 0x40
#define IRQ_FIFO 0x20 /* while sending: only 4 bytes left in the FIFO */
#define IRQ_DAMAGED 0x1e /* CRC, parity, framing, collision */
#define IRQ_NO_RESPONSE 0x01

/* ISO 15693. */
#define FLAGS_INVENTORY 0x06
#define FLAG_ONE_SLOT 0x20
#define FLAG_AFI 0x10
#define FLAGS_ADDRESSED 0x22
#define INVENTORY 0x01
#define WRITE_AFI 0x27
#define INVENTORY_ANSWER 10 /* flags, DSFID, number */
#define MANUFACTURERS 0xe0  /* the highest byte of every number */

#define RESPONSE_TIMEOUT_MS 15
#define SLEEPS_PER_SERVICE 8 /* about 0.2 ms */

static void select_chip(void) {
    spi_mode(SPI_READER);
    LOW(READER_SELECT);
}

static void release_chip(void) {
    HIGH(READER_SELECT);
}

static void write_register(uint8_t address, uint8_t value) {
    select_chip();
    spi_swap(address);
    spi_swap(value);
    release_chip();
}

static uint8_t read_register(uint8_t address) {
    select_chip();
    spi_swap(READ | address);
    uint8_t value = spi_swap(0);
    release_chip();
    return value;
}

static void command(uint8_t code) {
    select_chip();
    spi_swap(COMMAND | code);
    release_chip();
}

/* Only reading the next register as well clears the interrupt over SPI. */
static uint8_t read_interrupts(void) {
    select_chip();
    spi_swap(READ | CONTINUOUS | IRQ_STATUS);
    uint8_t status = spi_swap(0);
    spi_swap(0);
    release_chip();
    return status;
}

static void transmit(const uint8_t *bytes, uint8_t count) {
    select_chip();
    spi_swap(COMMAND | RESET_FIFO);
    spi_swap(COMMAND | TRANSMIT_WITH_CRC);
    spi_swap(CONTINUOUS | TX_LENGTH);
    spi_swap(count >> 4);
    spi_swap((uint8_t)(count << 4));
    while (count--) {
        spi_swap(*bytes++);
    }
    release_chip();
}

static void set_up(void) {
    command(SOFTWARE_INIT);
    command(IDLE);
    _delay_ms(1);
    write_register(CHIP_STATUS, SUPPLY);
    write_register(ISO_CONTROL, ISO15693_HIGH_RATE);
    write_register(MODULATOR, OOK_NO_CLOCK_OUT);
    write_register(NO_RESPONSE_WAIT, SLOT_WAIT);
    write_register(IRQ_MASK, ALL_INTERRUPTS);
    write_register(TARGET_LEVEL, 0); /* an erratum of the chip: its reset sets another value */
}

static uint8_t fifo_count(void) {
    return read_register(FIFO_STATUS) & FIFO_COUNT;
}

/* A request of more than 4 bytes interrupts once before its end, with the flag of sending: a FIFO
 * reset would cut the request there. If the FIFO is empty, this interrupt was read late and the
 * end may have come with it. */
static bool still_sending(uint8_t status) {
    return (status & IRQ_FIFO) && fifo_count();
}

/* The flag of receiving is set from an answer's start. With "no response" beside it, the answer
 * began as that time expired, and interrupts again at its end. */
static bool answer_begun(uint8_t status) {
    return status == (IRQ_RECEIVED | IRQ_NO_RESPONSE);
}

/* Wait for the result of a transmission; return the interrupt's status, 0 on a timeout. Busy-wait
 * for the end of sending, since an answer begins 0.3 ms later; sleep until the answer. */
static uint8_t await_interrupt(void (*poll)(void)) {
    uint16_t since = clock_ms16();
    bool sent = false;
    uint8_t naps = 0;
    do {
        if (IS_HIGH(READER_IRQ)) {
            uint8_t status = read_interrupts();
            if (still_sending(status) || answer_begun(status)) {
                continue;
            }
            if (status & (IRQ_SENT | IRQ_FIFO)) {
                command(RESET_FIFO); /* SLOA246: required before an answer begins, or its bytes may be corrupted */
                status &= (uint8_t)~(IRQ_SENT | IRQ_FIFO | IRQ_RECEIVED); /* the end of an answer interrupts again */
                sent = true;
            }
            if (status) {
                return status;
            }
        }
        if (sent && !IS_HIGH(READER_IRQ)) {
            if (naps++ % SLEEPS_PER_SERVICE == 0) {
                poll();
            }
            clock_sleep();
        }
    } while ((uint16_t)(clock_ms16() - since) <= RESPONSE_TIMEOUT_MS);
    return 0;
}

static void nothing(void) {
}

void trf_start(void) {
    HIGH(READER_SELECT);
    OUTPUT(READER_SELECT);
    LOW(READER_ENABLE);
    OUTPUT(READER_ENABLE);
}

bool trf_wake(void) {
    LOW(READER_ENABLE);
    _delay_ms(2);
    HIGH(READER_ENABLE);
    _delay_ms(5); /* wait for the crystal to start */
    set_up();
    if (read_register(ISO_CONTROL) != ISO15693_HIGH_RATE || read_register(NO_RESPONSE_WAIT) != SLOT_WAIT) {
        return false;
    }
    read_interrupts();
    if (IS_HIGH(READER_IRQ)) {
        return false; /* no flag is left: the wire is stuck */
    }
    const struct mask all = {0, {0}};
    trf_carrier(true);
    trf_inventory(0, &all);
    uint8_t status = await_interrupt(nothing);
    trf_carrier(false);
    return status;
}

void trf_carrier(bool on) {
    write_register(CHIP_STATUS, on ? SUPPLY | CARRIER : SUPPLY);
}

uint8_t trf_level(void) {
    command(BLOCK_RECEIVER);
    command(ENABLE_RECEIVER);
    command(TEST_INTERNAL_RF);
    _delay_us(50);
    uint8_t level = read_register(RSSI) & 7;
    command(BLOCK_RECEIVER);
    command(ENABLE_RECEIVER);
    return level;
}

static void inventory(uint8_t flags, uint8_t afi, const struct mask *mask) {
    uint8_t request[4 + UID_BYTES], count = 0, bytes = (mask->bits + 7) / 8;
    request[count++] = FLAGS_INVENTORY | flags;
    request[count++] = INVENTORY;
    if (flags & FLAG_AFI) {
        request[count++] = afi;
    }
    request[count++] = mask->bits;
    for (uint8_t i = 0; i < bytes; i++) {
        request[count++] = mask->value[i];
    }
    transmit(request, count);
}

void trf_inventory(uint8_t afi, const struct mask *mask) {
    inventory(afi ? FLAG_AFI : 0, afi, mask);
}

void trf_single_slot(const struct mask *mask) {
    inventory(FLAG_ONE_SLOT, 0, mask);
}

void trf_next_slot(bool held_nothing) {
    select_chip();
    if (!held_nothing) { /* reset the decoder */
        spi_swap(COMMAND | BLOCK_RECEIVER);
        spi_swap(COMMAND | ENABLE_RECEIVER);
    }
    spi_swap(COMMAND | NEXT_SLOT);
    release_chip();
}

enum outcome trf_await(struct answer *answer, void (*poll)(void)) {
    uint8_t status = await_interrupt(poll);
    if (!status) {
        return SLOT_SILENT;
    }
    if (status == IRQ_NO_RESPONSE) {
        return SLOT_EMPTY;
    }
    if ((status & IRQ_DAMAGED) || fifo_count() != INVENTORY_ANSWER) {
        return SLOT_COLLISION;
    }
    select_chip();
    spi_swap(READ | CONTINUOUS | FIFO);
    uint8_t flags = spi_swap(0);
    spi_swap(0);
    for (uint8_t i = 0; i < UID_BYTES; i++) {
        answer->uid[i] = spi_swap(0);
    }
    release_chip();
    answer->strength = (read_register(RSSI) & 7) + 1;
    return flags || answer->uid[UID_BYTES - 1] != MANUFACTURERS ? SLOT_COLLISION : SLOT_TAG;
}

bool trf_write_afi(const uint8_t uid[UID_BYTES], uint8_t afi, void (*poll)(void)) {
    uint8_t request[3 + UID_BYTES] = {FLAGS_ADDRESSED, WRITE_AFI};
    for (uint8_t i = 0; i < UID_BYTES; i++) {
        request[2 + i] = uid[i];
    }
    request[2 + UID_BYTES] = afi;
    write_register(NO_RESPONSE_WAIT, WRITE_WAIT);
    transmit(request, sizeof request);
    uint8_t status = await_interrupt(poll);
    bool done = status == IRQ_RECEIVED && fifo_count() == 1 && read_register(FIFO) == 0;
    write_register(NO_RESPONSE_WAIT, SLOT_WAIT);
    command(RESET_FIFO);
    return done;
}

#endif
