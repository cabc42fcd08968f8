// Base to be glued under a pawn. part = "magnet" for the presence board (ferrite disc 20 × 5 mm), "tag" for the identity
// board (label of 20 mm). Never both in one pawn: a magnet's metal detunes the tag.
// The magnet is enclosed on all sides: the print pauses at 5.8 mm, the magnet is laid in, the lid is printed over it. No
// glue holds it in, and no child gets it out.
include <parts.scad>
part = "magnet";

module disc(diameter, height) { linear_extrude(height) circle(d = diameter, $fn = 48); }

module ring(outer, inner, height) {
  linear_extrude(height) difference() {
    circle(d = outer, $fn = 48);
    circle(d = inner, $fn = 48);
  }
}

if (part == "magnet") {
  disc(24, 0.6);
  translate([0, 0, 0.59]) ring(24, 20.4, 5.22);
  translate([0, 0, 5.8]) disc(24, 1.2);
} else {
  ring(24, 20.6, 0.6);
  translate([0, 0, 0.59]) disc(24, 1.4);
}
