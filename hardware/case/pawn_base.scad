// Base of 20 mm to be glued under a pawn. part = "magnet" for the presence board (disc 10 × 3 mm), "tag" for the identity
// board (label of 16 to 18 mm). Never both in one pawn: a magnet's metal detunes the tag.
include <parts.scad>
part = "magnet";
pocket = part == "magnet" ? [10.3, 3.2] : [18.6, 0.6]; // diameter and depth

linear_extrude(pocket[1]) difference() {
  circle(d = 20, $fn = 48);
  circle(d = pocket[0], $fn = 48);
}
translate([0, 0, pocket[1] - 0.01]) linear_extrude(1.4) circle(d = 20, $fn = 48);
