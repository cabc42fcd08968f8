"""Where camera frames come from: a device, an address, a folder, the Pi, a spare phone."""
