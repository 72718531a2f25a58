import { common } from "./common.ts";
import { display } from "./display.ts";
import { errors } from "./errors.ts";
import { launchpad } from "./launchpad.ts";
import { legal } from "./legal.ts";
import { recipes } from "./recipes.ts";
import { welcome } from "./welcome.ts";

/** Every sentence of the product, by the keys of the specification where it has one. */
export const en = { common, display, errors, launchpad, legal, recipes, welcome } as const;
