#include "message.h"

#include <string.h>

#include "frame.h"
#include "uart.h"

static uint16_t boot;
static uint8_t counter; /* counts messages that are no responses */
static struct encoder frame;

static struct {
    bool known;
    uint32_t request;
    uint8_t type, length, payload[MAX_REPLY];
} last;

void message_start(uint16_t count) {
    boot = count;
}

uint16_t message_boot(void) {
    return boot;
}

void message_begin(enum type type, uint8_t seq) {
    frame_begin(&frame, type, seq);
}

void message_begin_unsolicited(enum type type) {
    message_begin(type, counter++);
    put16(boot);
}

void put8(uint8_t value) {
    frame_put(&frame, value);
}

void put16(uint16_t value) {
    put8((uint8_t)value);
    put8((uint8_t)(value >> 8));
}

void put32(uint32_t value) {
    put16((uint16_t)value);
    put16((uint16_t)(value >> 16));
}

void put_bytes(const void *bytes, uint8_t count) {
    for (const uint8_t *byte = bytes; count--; byte++) {
        put8(*byte);
    }
}

void message_end(void) {
    uint8_t length = frame_end(&frame);
    uart_send(frame.wire, length);
}

void send_fault(enum trouble trouble, uint8_t detail) {
    message_begin_unsolicited(MSG_FAULT);
    put8(trouble);
    put8(detail);
    message_end();
}

static void message_close(uint8_t seq) {
    message_begin(last.type, seq);
    put_bytes(last.payload, last.length);
    message_end();
}

void answer(const struct request *request, enum type type, const void *payload, uint8_t length) {
    last.known = true;
    last.request = request->crc;
    last.type = type;
    last.length = length;
    memcpy(last.payload, payload, length);
    message_close(request->seq);
}

void answer_done(const struct request *request) {
    answer(request, MSG_DONE, "", 0);
}

void refuse(const struct request *request, enum refusal refusal) {
    const uint8_t payload[] = {refusal, request->type};
    answer(request, MSG_NAK, payload, sizeof payload);
}

bool resend_reply(const struct request *request) {
    if (!last.known || last.request != request->crc) {
        return false;
    }
    message_close(request->seq);
    return true;
}

void clear_replies(void) {
    last.known = false;
}

void refuse_once(uint8_t seq, enum refusal refusal, uint8_t detail) {
    message_begin(MSG_NAK, seq);
    put8(refusal);
    put8(detail);
    message_end();
}

uint32_t crc_of(const void *bytes, uint16_t count) {
    uint32_t crc = CRC_BEGIN;
    for (const uint8_t *byte = bytes; count--; byte++) {
        crc = crc_step(crc, *byte);
    }
    return ~crc;
}
