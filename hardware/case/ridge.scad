// A quarter of the lattice that lies on the square field's tiles and keeps pawns near the cells' centres: print four.
// Bars are 2 mm wide on inner borders and 1 mm at the rim, where the next quarter carries on. Glue the quarters together.
include <parts.scad>
cell = 60;
cells = 3;
bar = 2;

side = cells * cell;

// One bar along x about y; at the rim only its inner half is there.
module bar_at(y) {
  from = max(y - bar / 2, 0);
  translate([0, from, 0]) cube([side, min(y + bar / 2, side) - from, 1.6]);
}

for (n = [0 : cells]) {
  bar_at(n * cell);
  mirror([1, -1, 0]) bar_at(n * cell);
}
