// What the printed parts have in common. Millimetres. Shapes are cut flat and then raised: that is quick to compute.
wall = 2.4;
floor_height = 2;
$fn = 16;

module rounded(x, y, r = 3) {
  offset(r) translate([r, r]) square([x - 2 * r, y - 2 * r]);
}

// Where a box' lid is screwed on: `inner` is the room inside, `at` says which corners, as [0 or 1, 0 or 1].
module screws(inner, at) {
  for (corner = at) translate([wall + 2.6 + corner.x * (inner.x - 5.2), wall + 2.6 + corner.y * (inner.y - 5.2)]) children();
}

// An open box with posts for the screws of its lid (3 mm, self-tapping).
module box(inner, at) {
  linear_extrude(floor_height) rounded(inner.x + 2 * wall, inner.y + 2 * wall);
  translate([0, 0, floor_height - 0.01]) linear_extrude(inner.z + 0.01) difference() {
    intersection() {
      rounded(inner.x + 2 * wall, inner.y + 2 * wall);
      union() {
        difference() {
          square([inner.x + 2 * wall, inner.y + 2 * wall]);
          translate([wall, wall]) square([inner.x, inner.y]);
        }
        screws(inner, at) circle(d = 8);
      }
    }
    screws(inner, at) circle(d = 2.6);
  }
}

// Its lid, as it is printed: inner side up. It is turned over about its long side to be put on, so that its corners and
// what the children cut out of it are mirrored front to back.
module lid(inner, at) {
  linear_extrude(floor_height) difference() {
    rounded(inner.x + 2 * wall, inner.y + 2 * wall);
    screws(inner, [for (corner = at) [corner.x, 1 - corner.y]]) circle(d = 3.3);
    children();
  }
  for (y = [wall + 0.3, wall + inner.y - 1.9])
    translate([wall + 9, y, floor_height - 0.01]) cube([inner.x - 18, 1.6, 2]);
}

// Posts on a floor, for self-tapping screws.
module posts(at, height, hole, outer) {
  translate([0, 0, -0.01]) linear_extrude(height + 0.01) for (spot = at) translate(spot) difference() {
    circle(d = outer);
    circle(d = hole);
  }
}
