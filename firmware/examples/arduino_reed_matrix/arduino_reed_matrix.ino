// A matrix of 6 x 6 reed switches at an Arduino Uno or Nano.
//
// Each switch joins a column (D2 to D7: A to F) through a diode, its ring to the column, to a row
// (A0 to A5: 1 to 6). Without the diodes three pawns on corners of a rectangle look like four.

const byte COLUMNS[] = {2, 3, 4, 5, 6, 7};
const byte ROWS[] = {A0, A1, A2, A3, A4, A5};

void greet() {
  Serial.println(F("#board 1 6x6 name=\"reed switches\""));
}

void setup() {
  Serial.begin(115200);
  for (byte row : ROWS) {
    pinMode(row, INPUT_PULLUP);
  }
  greet();
}

void loop() {
  while (Serial.available()) {
    if (Serial.read() == '?') {
      greet();
    }
  }
  String line;
  line.reserve(120);
  for (byte column = 0; column < 6; column++) {
    pinMode(COLUMNS[column], OUTPUT);  // low; the others are not driven
    delayMicroseconds(50);
    for (byte row = 0; row < 6; row++) {
      if (digitalRead(ROWS[row]) == LOW) {
        line += line.length() ? " " : "";
        line += char('A' + column);
        line += row + 1;
      }
    }
    pinMode(COLUMNS[column], INPUT);
  }
  line += line.length() ? "" : "-";
  byte checksum = 0;
  for (char letter : line) {
    checksum ^= letter;
  }
  Serial.println(line + (checksum < 16 ? "*0" : "*") + String(checksum, HEX));
  delay(20);
}
