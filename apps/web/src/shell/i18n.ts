import { use } from "i18next";
import { initReactI18next } from "react-i18next";
import { en } from "../en/en.ts";

void use(initReactI18next).init({
  lng: "en",
  resources: { en: { translation: en } },
  interpolation: { escapeValue: false },
  returnNull: false,
});

declare module "i18next" {
  interface CustomTypeOptions {
    resources: { translation: typeof en };
  }
}
