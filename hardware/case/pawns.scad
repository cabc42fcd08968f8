// Twelve pawns that differ by touch, to be glued on twelve pawn_base. The body tells the player: three sides, four sides,
// round. The knobs on top tell the pawn: a has one, d has four. Everything leans inwards: it prints without supports.
height = 20;
taper = 0.88;
knob = 3.6;
reach = 4.6;
pitch = 36;

module body(player) {
  if (player == 1) offset(2, $fn = 12) circle(r = 12, $fn = 3);
  if (player == 2) offset(2, $fn = 12) square(15.4, center = true);
  if (player == 3) circle(d = 21, $fn = 32);
}

// A knob stands 0.2 mm deep in the body, so that both are one solid.
module knobs(count) {
  for (turn = [0 : count - 1])
    rotate(turn * 360 / count) translate([count == 1 ? 0 : reach, 0, height - 0.2])
      cylinder(d1 = knob, d2 = knob - 1.6, h = 2, $fn = 12);
}

module pawn(player, count) {
  linear_extrude(height, scale = taper) body(player);
  knobs(count);
}

for (player = [1 : 3]) for (count = [1 : 4]) translate([(count - 1) * pitch, (player - 1) * pitch, 0]) pawn(player, count);
