/** Something was given: a string that is not blank, or a finite number. */
export const isGiven = (value: unknown): boolean =>
  typeof value === "string" ? value.trim() !== "" : typeof value === "number" && Number.isFinite(value);

const EMAIL = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/;

/** An address, or nothing at all: whether one must be given is another question. */
export const isEmailOrEmpty = (value: string): boolean => value === "" || EMAIL.test(value.trim());

/** At least `min` characters or items. */
export const hasMinLength = (value: string | readonly unknown[], min: number): boolean => value.length >= min;

/** At most `max` characters; nothing at all is fine. */
export const hasMaxLength = (value: string, max: number): boolean => value.length <= max;
