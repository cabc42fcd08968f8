// Box for a logic board on perfboard of 160 × 100 mm. The identity board's Mega has a tray of its own (mega_tray.scad).
// part = "box" or "lid".
include <parts.scad>
part = "box";
board = [160, 100];
inner = [168, 114, 32];
corners = [[0, 0], [1, 0], [0, 1], [1, 1]];
standoff = 6;

module whole_box() {
  difference() {
    box(inner, corners);
    // Cables to the loops and to the boost module leave behind, those to the Mega and the reader in front. The windows
    // are open to the lid: nothing is printed over air.
    translate([wall + 14, inner.y + wall - 1, floor_height + 12]) cube([140, wall + 2, inner.z]);
    translate([wall + 14, -1, floor_height + 12]) cube([140, wall + 2, inner.z]);
  }
  // The board rests on four feet and is held down by a strip of foam under the lid.
  translate([wall + 4, wall + 7, floor_height])
    posts([for (x = [6, board.x - 6], y = [6, board.y - 6]) [x, y]], standoff, 1, 8);
}

if (part == "box") whole_box();
else lid(inner, corners) for (n = [0 : 9]) translate([wall + 30 + 12 * n, wall + 40]) square([3, 34]);
