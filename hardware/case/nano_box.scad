// Box for the presence board's Arduino Nano, taped under the plate with its floor. part = "box" or "lid".
// Windows are open to the lid: nothing is printed over air.
include <parts.scad>
part = "box";
inner = [60, 34, 14];
corners = [[0, 0], [1, 0], [0, 1], [1, 1]];
nano = [45, 18.5];
rail = 4; // the Nano's lower side lies so high over the floor
middle = wall + inner.y / 2;

module nano_box() {
  difference() {
    box(inner, corners);
    // USB on the left, the cable to the first strip on the right.
    translate([-1, middle - 7, floor_height + 2]) cube([wall + 2, 14, inner.z]);
    translate([inner.x + wall - 1, middle - 5, floor_height + 4]) cube([wall + 2, 10, inner.z]);
  }
  // Two rails that hold the Nano by its long sides, and a stop behind it; foam under the lid presses it down.
  for (side = [-1, 1]) {
    translate([wall + 7.5, middle + side * (nano.y / 2 + 1.2) - 0.8, floor_height]) cube([nano.x - 8, 1.6, rail + 2.5]);
    translate([wall + 7.5, middle + side * (nano.y / 2 - 0.65) - 0.7, floor_height]) cube([nano.x - 8, 1.4, rail]);
    translate([wall + nano.x + 0.4, middle + side * 7 - 2, floor_height]) cube([1.6, 4, rail + 3]);
  }
}

if (part == "box") nano_box();
else lid(inner, corners);
