/** A view of the house field for tests; `change` replaces what a test is about. */
export const HOUSE = {
  tiles: ["..brw.", "..oo.w", "rwo.ob", "bowowr", "w.oo..", ".wrb.."],
  walls: ["A4-A5", "B3-B4", "B6-C6", "C4-C5", "D1-E1", "E3-E4", "F2-F3"],
};

export function view(change = {}) {
  return {
    ...HOUSE,
    pawns: { H1a: "A1", H2a: "F1" },
    gone: [],
    tokens: { bullets: ["C2"], bats: ["C1", "F3", "A4", "D6"] },
    bullets: { H1: 3, H2: 3 },
    humans: ["H1", "H2"],
    out: [],
    hp: 4,
    max_hp: 4,
    placed: true,
    to_move: "H1",
    actions_left: 2,
    right: null,
    rights: [],
    round: 1,
    night: 1,
    spent: 0,
    lost: 0,
    options: {},
    outcome: null,
    own: null,
    ...change,
  };
}
