/** The sign of the fugitive's seat; hunters are numbered. */
import { useNames } from "../../core/names.js";

useNames({ shapes: { F: "moon" } });
