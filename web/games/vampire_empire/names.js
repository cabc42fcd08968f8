/** How the seats of Vampire Empire are drawn. */
import { useNames } from "../../core/names.js";

useNames({ shapes: { vampire: "fang", human: "circle" } });
