#include "protocol.h"

#include <stdbool.h>
#include <string.h>

#include "clock.h"
#include "contacts.h"
#include "frame.h"
#include "hardware.h"
#include "jobs.h"
#include "message.h"
#include "settings.h"
#include "supply.h"
#include "uart.h"

#define CAP_PRESENCE 1
#define CAP_TAGS (2 | 4) /* uid, rssi */
#define CAP_ROTATION 8
#define CAP_FOLLOW 16

#define HEARTBEAT_MS 1000
#define DIP_PERCENT 8

static const struct geometry *geometry;
static struct decoder decoder;
static uint8_t crc_errors;
static void (*restart)(void);

/* --- Identity and sensors --------------------------------------------------------------------- */

#if HAS_READER

static uint8_t caps(void) {
    uint8_t turns = geometry->code == SQUARE_CODE ? CAP_ROTATION : 0;
    return jobs_reader_responds() ? CAP_TAGS | CAP_FOLLOW | turns : 0;
}

static uint16_t scan_number(void) {
    return jobs_scan();
}

static uint32_t state_crc(void) {
    return jobs_scan_crc();
}

#else

static uint8_t caps(void) {
    return CAP_PRESENCE;
}

static uint16_t scan_number(void) {
    return 0;
}

static uint32_t state_crc(void) {
    return crc_of(contacts_presence(), PRESENCE_BYTES);
}

#endif

/* --- Requests --------------------------------------------------------------------------------- */

static void send_hello(uint8_t seq) {
    uint8_t board_id[8];
    settings_board_id(board_id);
    message_begin(MSG_HELLO_R, seq);
    put16(message_boot());
    put8(PROTOCOL);
    put8(geometry->code);
    put8(geometry->rows);
    put8(geometry->columns);
    put8(HAS_READER ? geometry->loops : 0);
    put16(caps());
    put_bytes(board_id, sizeof board_id);
    put16(FIRMWARE);
    put32(clock_ms());
    message_end();
}

static void handle_hello(const struct request *request) {
    if (request->length != 1) {
        refuse(request, REFUSE_ARGUMENTS);
        return;
    }
    clear_replies();
#if HAS_READER
    jobs_reset();
#endif
    send_hello(request->seq);
}

static void handle_ping(const struct request *request) {
    if (request->length > MAX_REPLY) {
        refuse(request, REFUSE_ARGUMENTS);
    } else {
        answer(request, MSG_PONG, request->payload, request->length);
    }
}

static void handle_configure(const struct request *request) {
    if (request->length != 9 || !settings_configure(request->payload, request->payload[8])) {
        refuse(request, REFUSE_ARGUMENTS);
    } else {
        answer_done(request);
    }
}

static void handle_reset(const struct request *request) {
    const uint8_t *payload = request->payload;
    if (request->length != 6 || (payload[0] | (uint16_t)payload[1] << 8) != message_boot() || memcmp(payload + 2, "BOOT", 4) != 0) {
        refuse(request, REFUSE_ARGUMENTS);
    } else {
        restart();
    }
}

#if HAS_CONTACTS
static void handle_presence(const struct request *request) {
    uint8_t payload[2 + PRESENCE_BYTES] = {(uint8_t)message_boot(), (uint8_t)(message_boot() >> 8)};
    if (request->length) {
        refuse(request, REFUSE_ARGUMENTS);
        return;
    }
    memcpy(payload + 2, contacts_presence(), PRESENCE_BYTES);
    answer(request, MSG_PRESENCE, payload, sizeof payload);
}
#endif

static void dispatch(const struct request *request) {
    if (request->type != MSG_HELLO && resend_reply(request)) {
        return;
    }
    switch (request->type) {
    case MSG_HELLO:
        handle_hello(request);
        break;
    case MSG_PING:
        handle_ping(request);
        break;
#if HAS_CONTACTS
    case MSG_GET_PRESENCE:
        handle_presence(request);
        break;
#endif
    case MSG_CONFIGURE:
        handle_configure(request);
        break;
    case MSG_RESET:
        handle_reset(request);
        break;
    default:
#if HAS_READER
        if (jobs_handle(request)) {
            break;
        }
#endif
        refuse(request, REFUSE_UNKNOWN);
    }
}

static void handle_frame(void) {
    uint8_t length = decoder.length;
    struct request request = {decoder.data[0], decoder.data[1], length - 6, decoder.data + 2, 0};
    memcpy(&request.crc, decoder.data + length - 4, 4);
    dispatch(&request);
}

/* --- Main loop -------------------------------------------------------------------------------- */

static void receive(void) {
    bool damaged = false;
    for (int16_t byte; (byte = uart_take()) >= 0;) {
        switch (frame_take(&decoder, (uint8_t)byte)) {
        case FRAME_GOOD:
            handle_frame();
            break;
        case FRAME_BAD:
            crc_errors++;
            damaged = true;
            break;
        case FRAME_NONE:
            break;
        }
    }
    if (damaged) {
        refuse_once(0, REFUSE_CRC, 0);
    }
}

#if HAS_CONTACTS

static void send_cell(uint8_t cell, bool on) {
    message_begin_unsolicited(MSG_CELL_EVENT);
    put8(cell);
    put8(on);
    put16(clock_ms16());
    message_end();
}

#endif

static void send_heartbeat(void) {
    static bool dipped;
    message_begin_unsolicited(MSG_HEARTBEAT);
    put32(clock_ms());
    put16(scan_number());
    put32(state_crc());
    put8(crc_errors);
    put8(uart_overruns());
    message_end();
    uint8_t dip = supply_dip();
    if (dip >= DIP_PERCENT && !dipped) {
        send_fault(SUPPLY_DIPPED, dip);
    }
    dipped = dip >= DIP_PERCENT;
}

void protocol_poll(void) {
    static uint16_t beaten;
    uint16_t now = clock_ms16();
    receive();
#if HAS_CONTACTS
    static uint16_t sampled;
    if ((uint16_t)(now - sampled) >= SAMPLE_MS) {
        sampled = now;
        contacts_sample(send_cell);
    }
#endif
    if ((uint16_t)(now - beaten) >= HEARTBEAT_MS) {
        beaten += HEARTBEAT_MS;
        send_heartbeat();
    }
}

void protocol_run(void) {
#if HAS_READER
    jobs_step();
#endif
}

void protocol_start(uint8_t cause, void (*restart_by)(void)) {
    restart = restart_by;
    geometry = settings_geometry();
    message_start(settings_count_boot());
#if HAS_CONTACTS
    contacts_start(geometry->inputs, geometry->cells);
#endif
    supply_start();
#if HAS_READER
    jobs_start(geometry, protocol_poll);
#endif
    uart_send((const uint8_t[]){0}, 1); /* ends a frame that the restart cut short */
    message_begin_unsolicited(MSG_BOOT);
    put8(cause);
    put16(FIRMWARE);
    message_end();
}
