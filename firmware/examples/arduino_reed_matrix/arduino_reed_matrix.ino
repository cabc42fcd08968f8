// A matrix of 6 x 6 reed switches at an Arduino Uno or Nano.
//
// Each switch joins a column (D2 to D7: A to F) through a diode, its ring to the column, to a row
// (A0 to A5: 1 to 6). Without the diodes three pawns on corners of a rectangle look like four.

const byte COLUMNS[] = {2, 3, 4, 5, 6, 7};
const byte ROWS[] = {A0, A1, A2, A3, A4, A5};

byte checksum;

void put(char letter) {
  Serial.write(letter);
  checksum ^= letter;
}

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
  bool empty = true;
  checksum = 0;
  for (byte column = 0; column < 6; column++) {
    pinMode(COLUMNS[column], OUTPUT);  // low; the others are not driven
    delayMicroseconds(50);
    for (byte row = 0; row < 6; row++) {
      if (digitalRead(ROWS[row]) == LOW) {
        if (!empty) {
          put(' ');
        }
        put('A' + column);
        put('1' + row);
        empty = false;
      }
    }
    pinMode(COLUMNS[column], INPUT);
  }
  if (empty) {
    put('-');
  }
  byte sum = checksum;
  Serial.print(sum < 16 ? "*0" : "*");
  Serial.println(sum, HEX);
  delay(20);
}
