import { z } from "zod";

/** Words between commas. */
export const list = z
  .string()
  .default("")
  .transform((text) =>
    text
      .split(",")
      .map((part) => part.trim())
      .filter(Boolean),
  );

export const port = z.coerce.number().int().min(0).max(65_535);
