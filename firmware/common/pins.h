/* Made by firmware/generate.py from hardware/pins.toml: change that and run it again. */
#ifndef PINS_H
#define PINS_H

#define PROTOCOL 1
#define FIRMWARE 0x0103
#define BAUD 250000UL

#define SQUARE_CODE 0
#define SQUARE_ROWS 6
#define SQUARE_COLUMNS 6
#define SQUARE_CELLS 36
#define SQUARE_LOOPS 26
#define SQUARE_CENTRED 0x0007e03fUL
#define SQUARE_AXES {0x0000003fUL, 0x0007e000UL}
#define SQUARE_INPUTS {0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, 16, 17, 18, 19, 20, 21, 24, 25, 26, 27, 28, 29, 32, 33, 34, 35, 36, 37, 40, 41, 42, 43, 44, 45}

#define HEXAGONAL_CODE 1
#define HEXAGONAL_ROWS 7
#define HEXAGONAL_COLUMNS 7
#define HEXAGONAL_CELLS 37
#define HEXAGONAL_LOOPS 21
#define HEXAGONAL_CENTRED 0x001fffffUL
#define HEXAGONAL_AXES {0x0000007fUL, 0x00003f80UL, 0x001fc000UL}
#define HEXAGONAL_INPUTS {0, 1, 2, 3, 8, 9, 10, 11, 12, 16, 17, 18, 19, 20, 21, 24, 25, 26, 27, 28, 29, 30, 32, 33, 34, 35, 36, 37, 40, 41, 42, 43, 44, 48, 49, 50, 51}

#if defined(BOARD_PRESENCE)
#define CHAIN_CHIPS 7
#define ROW_INPUTS 8
#define LOOP_OUTPUTS 0
#define MISO_PORT PORTB
#define MISO_DDR DDRB
#define MISO_IN PINB
#define MISO_BIT 4
#define MOSI_PORT PORTB
#define MOSI_DDR DDRB
#define MOSI_IN PINB
#define MOSI_BIT 3
#define SCK_PORT PORTB
#define SCK_DDR DDRB
#define SCK_IN PINB
#define SCK_BIT 5
#define SS_PORT PORTB
#define SS_DDR DDRB
#define SS_IN PINB
#define SS_BIT 2
#define CHAIN_LOAD_PORT PORTC
#define CHAIN_LOAD_DDR DDRC
#define CHAIN_LOAD_IN PINC
#define CHAIN_LOAD_BIT 0
#define RX_PORT PORTD
#define RX_DDR DDRD
#define RX_IN PIND
#define RX_BIT 0
#define TX_PORT PORTD
#define TX_DDR DDRD
#define TX_IN PIND
#define TX_BIT 1

#elif defined(BOARD_IDENTITY)
#define ROW_INPUTS 0
#define LOOP_OUTPUTS 32
#define READER_MILLIVOLTS 3300
#define MISO_PORT PORTB
#define MISO_DDR DDRB
#define MISO_IN PINB
#define MISO_BIT 3
#define MOSI_PORT PORTB
#define MOSI_DDR DDRB
#define MOSI_IN PINB
#define MOSI_BIT 2
#define SCK_PORT PORTB
#define SCK_DDR DDRB
#define SCK_IN PINB
#define SCK_BIT 1
#define SS_PORT PORTB
#define SS_DDR DDRB
#define SS_IN PINB
#define SS_BIT 0
#define LOOP_LATCH_PORT PORTL
#define LOOP_LATCH_DDR DDRL
#define LOOP_LATCH_IN PINL
#define LOOP_LATCH_BIT 1
#define READER_SELECT_PORT PORTL
#define READER_SELECT_DDR DDRL
#define READER_SELECT_IN PINL
#define READER_SELECT_BIT 2
#define READER_IRQ_PORT PORTL
#define READER_IRQ_DDR DDRL
#define READER_IRQ_IN PINL
#define READER_IRQ_BIT 3
#define READER_ENABLE_PORT PORTL
#define READER_ENABLE_DDR DDRL
#define READER_ENABLE_IN PINL
#define READER_ENABLE_BIT 4
#define LOOPS_OFF_PORT PORTL
#define LOOPS_OFF_DDR DDRL
#define LOOPS_OFF_IN PINL
#define LOOPS_OFF_BIT 5
#define RX_PORT PORTE
#define RX_DDR DDRE
#define RX_IN PINE
#define RX_BIT 0
#define TX_PORT PORTE
#define TX_DDR DDRE
#define TX_IN PINE
#define TX_BIT 1

#endif

#endif
