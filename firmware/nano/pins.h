/* Made by firmware/generate.py from hardware/pins.toml: change that and run it again. */
#ifndef PINS_H
#define PINS_H

#define KIND "companion-nano"
#define FIRMWARE "2.0"
#define BAUD 115200UL
#define CHAIN_CHIPS 7
#define MISO_PORT PORTB
#define MISO_DDR DDRB
#define MISO_BIT 4
#define MOSI_PORT PORTB
#define MOSI_DDR DDRB
#define MOSI_BIT 3
#define SCK_PORT PORTB
#define SCK_DDR DDRB
#define SCK_BIT 5
#define SS_PORT PORTB
#define SS_DDR DDRB
#define SS_BIT 2
#define CHAIN_LOAD_PORT PORTC
#define CHAIN_LOAD_DDR DDRC
#define CHAIN_LOAD_BIT 0
#define LAMPS_PORT PORTD
#define LAMPS_DDR DDRD
#define LAMPS_BIT 6
#define RX_PORT PORTD
#define RX_DDR DDRD
#define RX_BIT 0
#define TX_PORT PORTD
#define TX_DDR DDRD
#define TX_BIT 1

#endif
