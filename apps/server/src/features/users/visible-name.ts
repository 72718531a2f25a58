import { limits } from "@terrarium/contract";

/** A person's name as somebody else's service has it, without what nobody can see, and no longer than one can be here. */
export const visibleName = (name: string): string =>
  name
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, "")
    .trim()
    .slice(0, limits.textLength);
