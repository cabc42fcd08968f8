// Base to be glued under a pawn, for a ferrite disc of 20 × 5 mm.
// The magnet is enclosed on all sides: the print pauses at 5.8 mm, the magnet is laid in on a drop of glue, the lid is
// printed over it. No child gets it out.
include <parts.scad>

module disc(diameter, height) { linear_extrude(height) circle(d = diameter, $fn = 48); }

disc(24, 0.6);
translate([0, 0, 0.59]) linear_extrude(5.22) difference() {
  circle(d = 24, $fn = 48);
  circle(d = 20.4, $fn = 48);
}
translate([0, 0, 5.8]) disc(24, 1.2);
