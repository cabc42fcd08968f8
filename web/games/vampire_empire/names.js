/** Shapes of Vampire Empire's seats. */
import { useNames } from "../../core/names.js";

useNames({ shapes: { vampire: "fang", human: "circle" } });
