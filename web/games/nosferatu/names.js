/** How the seats of Nosferatu are drawn, and what its pieces are called. */
import { useNames } from "../../core/names.js";

export const PIECES = { n: "nosferatu", v: "vampire", m: "villager" };

useNames({ shapes: { vampires: "fang", villagers: "circle" }, pieces: PIECES });
