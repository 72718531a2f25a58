/** Something was given: a string that is not blank, or a finite number. */
export const isGiven = (value: unknown): boolean =>
  typeof value === "string" ? value.trim() !== "" : typeof value === "number" && Number.isFinite(value);

const EMAIL = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/;

/** An address, or nothing at all: whether one must be given is another question. */
export const isEmailOrEmpty = (value: string): boolean => value === "" || EMAIL.test(value.trim());
