// Foot of 30 mm under the identity board's plywood: metal in a table top must stay away from the loops. Print five.
include <parts.scad>
linear_extrude(18) circle(d = 30);
translate([0, 0, 18]) posts([[0, 0]], 12, 3, 24);
