/** The games whose records can be proved. */
export const PROOFS: Record<string, GameProof>;
