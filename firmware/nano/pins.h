/* Made by firmware/generate.py from hardware/pins.toml: change that and run it again. */
#pragma once

#define KIND "companion-nano"
#define FIRMWARE "2.0"
#define BAUD 115200UL
#define CHAIN_CHIPS 7
#define MISO_PIN B, 4
#define MOSI_PIN B, 3
#define SCK_PIN B, 5
#define SS_PIN B, 2
#define CHAIN_LOAD_PIN C, 0
#define LAMPS_PIN D, 6
#define RX_PIN D, 0
#define TX_PIN D, 1
