/** Of the groups with how many of their devices run, which events of devices change too. */
export const groupTreeKey = ["groups", "tree"] as const;
