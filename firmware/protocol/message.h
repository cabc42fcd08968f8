/* Messages in both directions, and sending them. README.md describes each message byte by byte. */
#ifndef MESSAGE_H
#define MESSAGE_H

#include <stdbool.h>
#include <stdint.h>

enum type {
    MSG_HELLO = 0x01,
    MSG_PING = 0x02,
    MSG_GET_PRESENCE = 0x03,
    MSG_SCAN = 0x10,
    MSG_WATCH = 0x11,
    MSG_CAL = 0x12,
    MSG_TAG_WRITE_AFI = 0x13,
    MSG_CONFIGURE = 0x2e,
    MSG_RESET = 0x2f,
    MSG_BOOT = 0x80,
    MSG_HELLO_R = 0x81,
    MSG_PONG = 0x82,
    MSG_PRESENCE = 0x83,
    MSG_CELL_EVENT = 0x84,
    MSG_DONE = 0x8f,
    MSG_TAG_PART = 0x91,
    MSG_SCAN_END = 0x92,
    MSG_HEARTBEAT = 0x93,
    MSG_NAK = 0xfe,
    MSG_FAULT = 0xff,
};

enum refusal { REFUSE_CRC = 1, REFUSE_UNKNOWN, REFUSE_BUSY, REFUSE_ARGUMENTS };
enum trouble { READER_SILENT = 1, LOOP_OPEN, SUPPLY_DIPPED, TABLE_FULL };

struct request {
    uint8_t type, seq, length;
    const uint8_t *payload;
    uint32_t crc; /* equal for a repeated request, otherwise different */
};

/* The start count, the first field of each message about state or time. */
void message_start(uint16_t boot);
uint16_t message_boot(void);

/* Build a message: begin, put, end. `message_begin_unsolicited` counts messages that are no
 * responses. */
void message_begin(enum type type, uint8_t seq);
void message_begin_unsolicited(enum type type);
void put8(uint8_t value);
void put16(uint16_t value);
void put32(uint32_t value);
void put_bytes(const void *bytes, uint8_t count);
void message_end(void);

void send_fault(enum trouble trouble, uint8_t detail);

/* Send a reply of at most `MAX_REPLY` bytes, and store it in case the request is repeated. */
#define MAX_REPLY 16
void answer(const struct request *request, enum type type, const void *payload, uint8_t length);
void answer_done(const struct request *request);
void refuse(const struct request *request, enum refusal refusal);

/* Send the stored reply again if the request is the same. */
bool resend_reply(const struct request *request);
void clear_replies(void);

/* Refuse without storing the reply: the same request may be accepted later. */
void refuse_once(uint8_t seq, enum refusal refusal, uint8_t detail);

/* Return the CRC-32 of `count` bytes. */
uint32_t crc_of(const void *bytes, uint16_t count);

#endif
