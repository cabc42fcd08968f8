// Base to be glued under a pawn. part = "magnet" for the presence board (ferrite disc 20 × 5 mm), "tag" for the identity
// board (label of 20 mm). Never both in one pawn: a magnet's metal detunes the tag.
// The magnet lies on a closed floor and is covered by the pawn that is glued over it: no child gets it out from below.
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
  translate([0, 0, 0.59]) ring(24, 20.4, 5.21);
} else {
  ring(24, 20.6, 0.6);
  translate([0, 0, 0.59]) disc(24, 1.4);
}
