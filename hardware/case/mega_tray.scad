// Tray for an Arduino Mega 2560 beside the identity board's box. Holes after Arduino's drawing of the Mega.
include <parts.scad>
holes = [[13.97, 2.54], [15.24, 50.8], [66.04, 7.62], [66.04, 35.56], [90.17, 50.8], [96.52, 2.54]];

linear_extrude(2.4) rounded(108, 60);
translate([3, 3.3, 2.4]) posts(holes, 6, 2.6, 6);
