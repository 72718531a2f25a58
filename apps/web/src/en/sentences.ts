import i18next, { use } from "i18next";
import { initReactI18next } from "react-i18next";
import { common } from "./common.ts";
import { errors } from "./errors.ts";
import type * as areas from "./areas.generated.ts";

void use(initReactI18next).init({
  lng: "en",
  resources: { en: { translation: {} } },
  interpolation: { escapeValue: false },
  returnNull: false,
});

/**
 * The sentences of one area. Whoever imports them can say them from its first render on, so a page that is loaded
 * lazily brings its own, and the pages before it do not carry them.
 */
export function sentences<const Area extends object>(area: Area): Area {
  i18next.addResourceBundle("en", "translation", area, true);
  return area;
}

/** What every page may say. */
export const everywhere = sentences({ common, errors });

type All<Area> = (Area extends unknown ? (area: Area) => void : never) extends (area: infer Every) => void
  ? Every
  : never;

/** Every sentence of the product, by the keys of the specification where it has one: a key that is missing does not compile. */
type En = All<(typeof areas)[keyof typeof areas]>;

declare module "i18next" {
  interface CustomTypeOptions {
    resources: { translation: En };
  }
}
