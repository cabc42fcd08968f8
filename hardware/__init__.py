"""Hardware: plans of boards, box and pawns, and the programs that draw them."""
