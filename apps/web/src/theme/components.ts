import { baseOf } from "./base.ts";
import { buttonsOf } from "./buttons.ts";
import { fieldsOf } from "./fields.ts";
import { surfacesOf } from "./surfaces.ts";
import { tablesOf } from "./tables.ts";
import type { ThemedComponents, Tokens } from "./tokens.ts";

/** Sizes and shapes of the library's components. */
export const componentsOf = (tokens: Tokens): ThemedComponents => ({
  ...baseOf(tokens),
  ...buttonsOf(tokens),
  ...fieldsOf(tokens),
  ...tablesOf(tokens),
  ...surfacesOf(tokens),
});
