/* The boards' firmware. `make firmware` builds it for both boards: BOARD_PRESENCE and BOARD_IDENTITY. */

#include <avr/interrupt.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include <stdbool.h>

#include "clock.h"
#include "hardware.h"
#include "protocol.h"
#include "uart.h"

#define ASKED_FOR 0xb007

/* Not initialised, so both survive a restart. */
static uint8_t reset_flags __attribute__((section(".noinit")));
static uint16_t restart_mark __attribute__((section(".noinit")));

/* Runs first: after a watchdog reset the watchdog stays on with 15 ms. */
void keep_reset_flags(void) __attribute__((naked, used, section(".init3")));
void keep_reset_flags(void) {
    reset_flags = MCUSR;
    MCUSR = 0;
    wdt_disable();
}

/* Power-on also sets the brown-out flag, so check power-on first. A bootloader may have cleared
 * all flags. */
static uint8_t cause(void) {
    bool asked = restart_mark == ASKED_FOR;
    restart_mark = 0;
    if (reset_flags & _BV(PORF)) {
        return CAUSE_POWER;
    }
    if (reset_flags & _BV(BORF)) {
        return CAUSE_BROWN_OUT;
    }
    if (reset_flags & _BV(WDRF)) {
        return asked ? CAUSE_EXTERNAL : CAUSE_WATCHDOG;
    }
    return reset_flags & _BV(EXTRF) ? CAUSE_EXTERNAL : CAUSE_UNKNOWN;
}

static void restart(void) {
    cli();
    restart_mark = ASKED_FOR;
    wdt_enable(WDTO_15MS);
    wdt_reset(); /* restart the watchdog with the shorter time; simavr needs this */
    for (;;) {
    }
}

/* Every interrupt wakes it: a received byte, or the next millisecond. */
static void sleep_until_interrupt(void) {
    cli();
    if (uart_waiting()) {
        sei();
        return;
    }
    sleep_enable();
    sei();
    sleep_cpu();
    sleep_disable();
}

int main(void) {
    HIGH(SS);
    OUTPUT(SS);
    OUTPUT(MOSI);
    OUTPUT(SCK);
    wdt_enable(WDTO_8S);
    clock_start();
    uart_start();
    sei();
    set_sleep_mode(SLEEP_MODE_IDLE);
    protocol_start(cause(), restart);
    for (;;) {
        wdt_reset();
        protocol_poll();
        protocol_run();
        sleep_until_interrupt();
    }
}
