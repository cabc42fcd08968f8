/** The sign of the fugitive's seat; hunters are numbered. */
import { useNames } from "../../core/i18n.js";

useNames({ shapes: { F: "moon" } });
