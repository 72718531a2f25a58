import type { Components, CssVarsTheme, Theme } from "@mui/material/styles";
import type tokens from "./tokens.json";

/** What tokens.json holds. */
export type Tokens = typeof tokens;

/** Sizes and shapes of components of the library. */
export type ThemedComponents = Components<Omit<Theme, "components" | "palette"> & CssVarsTheme>;
