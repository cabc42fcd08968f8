/** Shapes of Vampire Empire's seats. */
import { useNames } from "../../core/i18n.js";

useNames({ shapes: { vampire: "fang", human: "circle" } });
