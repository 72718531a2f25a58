/** The groups of nouns in the OpenAPI document, in a reader's order. */
export const tagGroups = [
  "Devices",
  "Your account",
  "Your organization",
  "Billing",
  "The service",
  "Operators",
] as const;

export interface Tag {
  group: (typeof tagGroups)[number];
  title: string;
  description: string;
}

/** What a noun is called in the OpenAPI document, and where it stands there. The browser does not load it. */
export const tag = /* @__NO_SIDE_EFFECTS__ */ (group: Tag["group"], title: string, description: string): Tag => ({
  group,
  title,
  description,
});
