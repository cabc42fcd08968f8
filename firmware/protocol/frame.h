/* Frames on the wire: COBS( type, seq, payload, crc32 ) 0x00. No hardware access: the tests also
 * run this on a PC. */
#ifndef FRAME_H
#define FRAME_H

#include <stdbool.h>
#include <stdint.h>

#define MAX_PAYLOAD 200
#define MAX_DECODED (MAX_PAYLOAD + 6)
#define MAX_ENCODED (MAX_DECODED + 1)

/* Start value of CRC-32; the result is inverted. */
#define CRC_BEGIN 0xffffffffUL

uint32_t crc_step(uint32_t crc, uint8_t byte);

/* Build a frame: begin, put each byte of the payload, end. The end returns the number of bytes in
 * `wire`. */
struct encoder {
    uint8_t wire[MAX_ENCODED + 1];
    uint8_t length;
    uint8_t run;
    uint32_t crc;
};

void frame_begin(struct encoder *frame, uint8_t type, uint8_t seq);
void frame_put(struct encoder *frame, uint8_t byte);
uint8_t frame_end(struct encoder *frame);

/* Decode bytes into frames. After FRAME_GOOD, `data` holds type, seq, payload and crc, `length`
 * bytes, until the next byte. */
struct decoder {
    uint8_t data[MAX_DECODED];
    uint8_t length;
    uint8_t encoded;
    uint8_t left;
    uint8_t code;
    bool bad;
};

enum arrival { FRAME_NONE, FRAME_GOOD, FRAME_BAD };

enum arrival frame_take(struct decoder *decoder, uint8_t byte);

#endif
