import "../../en/list.ts";
import type { TFunction } from "i18next";

const names = ["search", "help", "arrows", "enter", "space", "range", "menu", "escape"] as const;

/** The keys of a list, as keyboards name them, and what each does. */
export const listKeys = (t: TFunction): [string, string][] =>
  names.map((name) => [t(`common.keys.caps.${name}`), t(`common.keys.${name}`)]);
