#include "frame.h"

#ifdef __AVR__
#include <avr/pgmspace.h>
#else
#define PROGMEM
#define pgm_read_dword(address) (*(address))
#endif

/* The CRC of any data followed by its own CRC, before the final inversion. */
#define CRC_RESIDUE 0xdebb20e3UL

static const uint32_t crc_table[256] PROGMEM = {
#include "crc_table.h"
};

uint32_t crc_step(uint32_t crc, uint8_t byte) {
    return (crc >> 8) ^ pgm_read_dword(&crc_table[(uint8_t)crc ^ byte]);
}

static void encode(struct encoder *frame, uint8_t byte) {
    if (byte == 0) {
        frame->wire[frame->run] = frame->length - frame->run;
        frame->run = frame->length++;
    } else {
        frame->wire[frame->length++] = byte;
    }
}

void frame_put(struct encoder *frame, uint8_t byte) {
    frame->crc = crc_step(frame->crc, byte);
    encode(frame, byte);
}

void frame_begin(struct encoder *frame, uint8_t type, uint8_t seq) {
    frame->run = 0;
    frame->length = 1;
    frame->crc = CRC_BEGIN;
    frame_put(frame, type);
    frame_put(frame, seq);
}

/* A frame is shorter than a run of 254 bytes, so no run has to be split. */
uint8_t frame_end(struct encoder *frame) {
    uint32_t crc = ~frame->crc;
    for (uint8_t i = 0; i < 4; i++, crc >>= 8) {
        encode(frame, (uint8_t)crc);
    }
    frame->wire[frame->run] = frame->length - frame->run;
    frame->wire[frame->length++] = 0;
    return frame->length;
}

static void keep(struct decoder *decoder, uint8_t byte) {
    if (decoder->length == MAX_DECODED) {
        decoder->bad = true;
    } else {
        decoder->data[decoder->length++] = byte;
    }
}

static enum arrival finish(const struct decoder *decoder) {
    if (decoder->bad || decoder->left || decoder->length < 6) {
        return FRAME_BAD;
    }
    uint32_t crc = CRC_BEGIN;
    for (uint8_t i = 0; i < decoder->length; i++) {
        crc = crc_step(crc, decoder->data[i]);
    }
    return crc == CRC_RESIDUE ? FRAME_GOOD : FRAME_BAD;
}

enum arrival frame_take(struct decoder *decoder, uint8_t byte) {
    if (byte == 0) {
        enum arrival arrival = decoder->encoded ? finish(decoder) : FRAME_NONE;
        decoder->encoded = 0;
        return arrival;
    }
    if (decoder->encoded == 0) {
        decoder->length = decoder->left = 0;
        decoder->code = 0xff; /* no zero precedes the first run */
        decoder->bad = false;
    }
    if (decoder->encoded == MAX_ENCODED) {
        decoder->bad = true;
    } else {
        decoder->encoded++;
    }
    if (decoder->left) {
        decoder->left--;
        keep(decoder, byte);
    } else {
        if (decoder->code != 0xff) {
            keep(decoder, 0);
        }
        decoder->code = byte;
        decoder->left = byte - 1;
    }
    return FRAME_NONE;
}
