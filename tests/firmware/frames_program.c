/* The firmware's frame code on a PC, for the tests. A line in, a line out:
 *   encode TYPE SEQ PAYLOAD   the frame's bytes as they go over the wire
 *   decode BYTES              each frame in a stream of bytes, "bad" for each that is none
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame.h"

static unsigned byte_at(const char *hex) {
    char pair[] = {hex[0], hex[1], 0};
    return (unsigned)strtoul(pair, NULL, 16);
}

static void print_bytes(const uint8_t *bytes, unsigned count) {
    while (count--) {
        printf("%02x", *bytes++);
    }
}

static void encode(const char *type, const char *seq, const char *payload) {
    static struct encoder frame;
    frame_begin(&frame, (uint8_t)atoi(type), (uint8_t)atoi(seq));
    for (; payload && *payload; payload += 2) {
        frame_put(&frame, (uint8_t)byte_at(payload));
    }
    print_bytes(frame.wire, frame_end(&frame));
}

static void decode(const char *bytes) {
    static struct decoder decoder;
    for (; bytes && *bytes; bytes += 2) {
        switch (frame_take(&decoder, (uint8_t)byte_at(bytes))) {
        case FRAME_GOOD:
            print_bytes(decoder.data, decoder.length - 4u);
            printf(" ");
            break;
        case FRAME_BAD:
            printf("bad ");
            break;
        case FRAME_NONE:
            break;
        }
    }
    memset(&decoder, 0, sizeof decoder);
}

int main(void) {
    static char line[1 << 16];
    while (fgets(line, sizeof line, stdin)) {
        char *verb = strtok(line, " \n"), *first = strtok(NULL, " \n"), *second = strtok(NULL, " \n");
        if (verb && !strcmp(verb, "encode")) {
            encode(first, second, strtok(NULL, " \n"));
        } else {
            decode(first);
        }
        printf("\n");
    }
    return 0;
}
