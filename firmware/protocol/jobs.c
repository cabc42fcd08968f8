#include "jobs.h"

#include <string.h>

#include "clock.h"
#include "track.h"
#include "hardware.h"
#include "antenna.h"
#include "trf7970a.h"
#include "scan.h"
#include "tags.h"

#if HAS_READER

#define MOST_RECORDS 9 /* in one TAG_PART */

/* Loops of a SCAN or WATCH: 0 all, 1 the centred ones, 2 those needed for tags that moved. */
#define LOOPS_FOLLOWED 2
#define CHOICES_OF_LOOPS 3
#define LOOPS_UNFINISHED 3 /* SCAN_END alone: unfinished, the next SCAN continues */

static const struct geometry *geometry;
static void (*serve)(void);

enum job_kind { JOB_NONE, JOB_SCAN, JOB_WRITE };

/* The requested job. */
static struct {
    enum job_kind kind;
    struct request request; /* without its payload */
    struct scan scan;
    uint8_t afi, loops; /* as repeated in SCAN_END */
    uint8_t uid[UID_BYTES];
} job;

static struct {
    bool on, scanning;
    uint8_t seq, afi, loops;
    uint16_t period;
    uint32_t due;
} watch;

static bool reader_responds, test_due, table_full;
static uint16_t scan_number;
static uint32_t scan_crc; /* of the last scan sent */
static struct {
    bool known;
    uint32_t request;
    uint8_t afi, loops, count;
    struct scan scan;
} sent; /* the scan in the table, for a repeated request; an unfinished one has no records */

static uint32_t all_loops(void) {
    return (1UL << geometry->loops) - 1;
}

static uint32_t chosen_loops(uint8_t loops) {
    return loops ? geometry->centred : all_loops();
}

static enum ending run(struct scan *scan, uint8_t loops) {
    if (loops == LOOPS_FOLLOWED) {
        return track_run(scan, geometry, serve);
    }
    track_abort();
    return scan_run(scan, serve);
}

static void reader_lost(void) {
    reader_responds = false;
    watch.on = false;
    send_fault(READER_SILENT, 0);
}

static void send_parts(uint8_t seq) {
    uint8_t part = 0;
    for (uint8_t at = 0; at < sent.count; part++) {
        message_begin(MSG_TAG_PART, seq);
        put16(message_boot());
        put16(scan_number);
        put8(part);
        for (uint8_t i = 0; i < MOST_RECORDS && at < sent.count; i++, at++) {
            put_bytes(tags_record(at), sizeof(struct record));
        }
        message_end();
    }
    message_begin(MSG_SCAN_END, seq);
    put16(message_boot());
    put16(scan_number);
    put8(part);
    put8(sent.count);
    put8(sent.afi);
    put8(sent.loops);
    put16(sent.scan.ms);
    put16(sent.scan.rounds);
    put16(sent.scan.collisions);
    put8(sent.scan.timeouts);
    put32(scan_crc);
    message_end();
}

static uint32_t table_crc(uint8_t count) {
    return crc_of(tags_record(0), count * sizeof(struct record));
}

static void send_scan(uint8_t seq, const struct scan *scan, uint8_t afi, uint8_t loops) {
    scan_number++;
    sent.count = loops == LOOPS_UNFINISHED ? 0 : tags_count();
    scan_crc = table_crc(sent.count);
    sent.scan = *scan;
    sent.afi = afi;
    sent.loops = loops;
    send_parts(seq);
}

/* Report a truncated table once, until one fits again. */
static void send_overfull(bool overfull) {
    if (overfull && !table_full) {
        send_fault(TABLE_FULL, 0);
    }
    table_full = overfull;
}

static void begin_job(const struct request *request, enum job_kind kind) {
    job.kind = kind;
    job.request = *request;
    clear_replies();
    if (watch.scanning) {
        scan_stop();
    }
}

/* Return whether a new job may start; if not, refuse it, without a reply if it is running already. */
static bool may_begin(const struct request *request) {
    if (!reader_responds) {
        refuse(request, REFUSE_UNKNOWN);
    } else if (job.kind != JOB_NONE) {
        if (job.request.crc != request->crc) {
            refuse_once(request->seq, REFUSE_BUSY, request->type);
        }
    } else if (sent.known && sent.request == request->crc) {
        send_parts(request->seq);
    } else {
        return true;
    }
    return false;
}

static void take_scan(const struct request *request) {
    const uint8_t *payload = request->payload;
    bool cal = request->type == MSG_CAL;
    if (request->length != (cal ? 1 : 2) || payload[cal ? 0 : 1] >= (cal ? geometry->loops : CHOICES_OF_LOOPS)) {
        refuse(request, reader_responds ? REFUSE_ARGUMENTS : REFUSE_UNKNOWN);
    } else if (may_begin(request)) {
        job.afi = cal ? 0 : payload[0];
        job.loops = cal ? 0 : payload[1];
        job.scan.afi = job.afi;
        job.scan.loops = cal ? 1UL << payload[0] : chosen_loops(payload[1]);
        begin_job(request, JOB_SCAN);
    }
}

static void take_watch(const struct request *request) {
    const uint8_t *payload = request->payload;
    if (!reader_responds) {
        refuse(request, REFUSE_UNKNOWN);
        return;
    }
    if (request->length != 4 || payload[3] >= CHOICES_OF_LOOPS) {
        refuse(request, REFUSE_ARGUMENTS);
        return;
    }
    watch.period = payload[0] | (uint16_t)payload[1] << 8;
    watch.on = watch.period;
    watch.seq = request->seq;
    watch.afi = payload[2];
    watch.loops = payload[3];
    watch.due = clock_ms();
    if (watch.scanning) {
        scan_stop();
    }
    answer_done(request);
}

static void take_write(const struct request *request) {
    if (request->length != UID_BYTES + 1) {
        refuse(request, reader_responds ? REFUSE_ARGUMENTS : REFUSE_UNKNOWN);
    } else if (may_begin(request)) {
        memcpy(job.uid, request->payload, UID_BYTES);
        job.afi = request->payload[UID_BYTES];
        begin_job(request, JOB_WRITE);
    }
}

void jobs_reset(void) {
    job.kind = JOB_NONE;
    watch.on = false;
    sent.known = false;
    track_reset();
    scan_stop();
    if (!reader_responds) {
        reader_responds = trf_wake();
    }
    test_due = reader_responds;
}

static void test_loops(void) {
    test_due = false;
    uint32_t open = scan_open_loops(all_loops(), serve);
    for (uint8_t loop = 0; loop < geometry->loops && !test_due; loop++) {
        if (open >> loop & 1) {
            send_fault(LOOP_OPEN, loop);
        }
    }
}

static void run_scan(void) {
    struct request request = job.request;
    struct scan scan = job.scan;
    uint8_t afi = job.afi, loops = job.loops;
    sent.known = false;
    enum ending ending = run(&scan, loops);
    bool wanted = job.kind == JOB_SCAN && job.request.crc == request.crc;
    if (ending == SCAN_READER_SILENT) {
        job.kind = JOB_NONE;
        reader_lost();
        if (wanted) {
            refuse(&request, REFUSE_UNKNOWN);
        }
    } else if (ending != SCAN_STOPPED && wanted) {
        job.kind = JOB_NONE;
        if (ending == SCAN_WHOLE) {
            send_overfull(scan.overfull);
        }
        sent.known = true;
        sent.request = request.crc;
        send_scan(request.seq, &scan, afi, ending == SCAN_WHOLE ? loops : LOOPS_UNFINISHED);
    }
}

static void run_write(void) {
    struct request request = job.request;
    bool written = scan_write_afi(job.uid, job.afi, geometry->centred, serve);
    if (job.kind == JOB_WRITE && job.request.crc == request.crc) {
        job.kind = JOB_NONE;
        if (written) {
            answer_done(&request);
        } else {
            refuse(&request, REFUSE_ARGUMENTS);
        }
    }
}

static void run_watch(void) {
    struct scan scan = {.afi = watch.afi, .loops = chosen_loops(watch.loops)};
    watch.due = clock_ms() + watch.period;
    sent.known = false;
    watch.scanning = true;
    enum ending ending = run(&scan, watch.loops);
    watch.scanning = false;
    if (ending == SCAN_READER_SILENT) {
        reader_lost();
    } else if (ending != SCAN_WHOLE) {
        watch.due = clock_ms();
    } else if (watch.on) {
        send_overfull(scan.overfull);
        if (sent.loops == LOOPS_UNFINISHED || table_crc(tags_count()) != scan_crc) {
            send_scan(watch.seq, &scan, watch.afi, watch.loops);
        }
    }
}

void jobs_step(void) {
    if (test_due) {
        test_loops();
    } else if (job.kind == JOB_SCAN) {
        run_scan();
    } else if (job.kind == JOB_WRITE) {
        run_write();
    } else if (watch.on && (int32_t)(clock_ms() - watch.due) >= 0) {
        run_watch();
    }
}

bool jobs_handle(const struct request *request) {
    switch (request->type) {
    case MSG_SCAN:
    case MSG_CAL:
        take_scan(request);
        return true;
    case MSG_WATCH:
        take_watch(request);
        return true;
    case MSG_TAG_WRITE_AFI:
        take_write(request);
        return true;
    default:
        return false;
    }
}

bool jobs_reader_responds(void) {
    return reader_responds;
}

uint16_t jobs_scan(void) {
    return scan_number;
}

uint32_t jobs_scan_crc(void) {
    return scan_crc;
}

void jobs_start(const struct geometry *field, void (*poll)(void)) {
    geometry = field;
    serve = poll;
    antenna_start();
    trf_start();
    reader_responds = trf_wake();
}

#endif
