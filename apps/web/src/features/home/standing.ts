/** What the device of the home page stands on, in CSS pixels. On a phone it has room for the commands as well: nothing lies on the device. */
export const SILL = { xs: 112, md: 44 };

/** The room that the device has. */
export const within = { width: 284, height: 580 };

/** In front of the edge of the sill. */
export const standing = {
  position: "absolute",
  bottom: { xs: SILL.xs - 8, md: SILL.md - 10 },
  transform: { xs: "scale(.72)", md: "none" },
  transformOrigin: "bottom",
} as const;
