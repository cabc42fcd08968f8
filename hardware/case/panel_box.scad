// Box for the Raspberry Pi with the button, the lamp and the piezo. The holes of Pi 3, 4 and 5 are in the same places.
// part = "box" or "lid".
include <parts.scad>
part = "box";
holes = [[3.5, 3.5], [61.5, 3.5], [3.5, 52.5], [61.5, 52.5]];
inner = [128, 74, 44];
corners = [[0, 0], [0, 1], [1, 1]]; // the fourth corner is the Pi's
standoff = 5;
button = 24.2;
lamp = 8;
pi = [wall + inner.x - 86.5, wall + 1.5]; // the Pi's corner: its USB sockets reach the right wall, its power the front

module panel_case() {
  difference() {
    box(inner, corners);
    // The grips of its plugs reach into the wall, and a millimetre below the board.
    translate([pi.x + 4, -1, floor_height + standoff - 1]) cube([60, wall + 2, 12]);
    translate([inner.x + wall - 1, pi.y + 0.5, floor_height + standoff + 1]) cube([wall + 2, 55, 18]);
    translate([pi.x + 6, inner.y + wall - 1, 16]) cube([60, wall + 2, 6]);
  }
  translate([pi.x, pi.y, floor_height]) posts(holes, standoff, 2.1, 6);
}

middle = wall + inner.y / 2;
if (part == "box") panel_case();
else {
  lid(inner, corners) {
    translate([wall + 20, middle]) circle(d = button, $fn = 32);
    translate([wall + 56, middle]) circle(d = lamp);
    // Air for a Pi 5: it comes in at the sockets and goes out here.
    for (x = [40:8:112], y = [9, 53.8]) translate([x, y]) square([3, 16]);
    for (x = [-5, 0, 5], y = [-5, 0, 5]) translate([wall + 96 + x, middle + y]) circle(d = 2.4, $fn = 8);
  }
  // The piezo disc (20 mm) is glued into this ring.
  translate([wall + 96, middle, floor_height]) posts([[0, 0]], 2, 20.6, 25, $fn = 32);
}
