/** The tools beside the screen, in their order; each is a word in the address. */
export const sideTools = ["logcat", "shell", "files", "apps", "captures", "ui", "scenario"] as const;
export type SideTool = (typeof sideTools)[number];
