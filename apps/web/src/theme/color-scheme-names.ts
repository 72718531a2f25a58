/**
 * Stands in the build for MUI's script that sets the colour scheme before the app runs, which `before-app.js` does here: the names alone, by
 * which MUI finds it again.
 */
export const [DEFAULT_MODE_STORAGE_KEY, DEFAULT_COLOR_SCHEME_STORAGE_KEY, DEFAULT_ATTRIBUTE] = [
  "mode",
  "color-scheme",
  "data-color-scheme",
];
export const defaultConfig = {
  attribute: "data-mui-color-scheme",
  modeStorageKey: "mui-mode",
  colorSchemeStorageKey: "mui-color-scheme",
  defaultLightColorScheme: "light",
  defaultDarkColorScheme: "dark",
};
export const buildInitColorSchemeScript = (): null => null;
