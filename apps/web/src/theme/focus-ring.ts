/** Where the keyboard is. */
export const focusRing = { outline: "2px solid var(--mui-palette-focus)", outlineOffset: 2 };
