/** Shapes of Nosferatu's seats, and names of its pieces. */
import { useNames } from "../../core/i18n.js";

/** @type {Record<string, string>} */
export const PIECES = { n: "nosferatu", v: "vampire", m: "villager" };

useNames({ shapes: { vampires: "fang", villagers: "circle" }, pieces: PIECES });
