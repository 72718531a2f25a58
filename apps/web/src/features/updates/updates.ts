import type { updates as texts } from "../../en/updates.ts";
import { createPreference } from "../../components/preferences.ts";

export type UpdateId = keyof (typeof texts)["updates"]["entries"];

export interface Update {
  /** Year, month and number of the entry; its address is `/update/{id}`. */
  id: UpdateId;
  /** Announced by itself, once, and not only in the dialog. */
  isMajor: boolean;
}

/** What is new, the latest first. */
export const updates: readonly Update[] = [
  { id: "25-07_1", isMajor: true },
  { id: "25-05_1", isMajor: true },
  { id: "25-03_2", isMajor: false },
  { id: "25-03_1", isMajor: false },
  { id: "24-11_1", isMajor: true },
  { id: "24-09_1", isMajor: false },
  { id: "24-05_1", isMajor: false },
];

export const updateOf = (id: string | undefined): Update | undefined => updates.find((update) => update.id === id);

const isText = (value: unknown): value is string => typeof value === "string";

/** The entries that somebody has read. */
export const readUpdates = createPreference<readonly string[]>({
  name: "read-updates",
  version: 1,
  byDefault: [],
  accepts: (value): value is readonly string[] => Array.isArray(value) && value.every(isText),
});

export const markAllRead = (): void => readUpdates.write(updates.map(({ id }) => id));

/** The entry that was not announced to this person yet: the latest, if it is a major one that they have not read. */
export const newsFor = (read: readonly string[], all = updates): Update | undefined => {
  const [latest] = all;
  return latest?.isMajor && !read.includes(latest.id) ? latest : undefined;
};

/** 2025-07 for `25-07_1`. */
export const monthOf = (id: string): string => `20${id.slice(0, 5)}`;
