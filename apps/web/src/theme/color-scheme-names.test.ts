import { expect, it } from "vitest";
import * as ours from "./color-scheme-names.ts";

const here = import.meta.resolve("@mui/material/package.json");
const ofMui = (path: string) => import(new URL(path, here).href) as Promise<Record<string, unknown>>;

it("names the colour scheme as MUI does", async () => {
  const { defaultConfig } = await ofMui("InitColorSchemeScript/InitColorSchemeScript.mjs");
  expect(ours.defaultConfig).toEqual(defaultConfig);
  expect(await ofMui("../system/InitColorSchemeScript/InitColorSchemeScript.mjs")).toMatchObject({
    DEFAULT_MODE_STORAGE_KEY: ours.DEFAULT_MODE_STORAGE_KEY,
    DEFAULT_COLOR_SCHEME_STORAGE_KEY: ours.DEFAULT_COLOR_SCHEME_STORAGE_KEY,
    DEFAULT_ATTRIBUTE: ours.DEFAULT_ATTRIBUTE,
  });
});
