import { AppError, type User } from "@terrarium/contract";
import { client } from "../session/client.ts";

/** How many people a field offers at a time. */
const OFFERED = 5;

/** People are searched for from this many letters on. */
const LETTERS = 3;

/** How long somebody pauses who looks for a person among many. */
export const PICKER_PAUSE_MS = 500;

/** People of one's organization whose name or address has this text, some or all. Who is invited has nothing yet that could be found. */
export const colleaguesLike = (search: string, { all = false } = {}) => ({
  queryKey: ["users", "like", search, all] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    client.users.list(
      { query: { search, page_size: all ? -1 : OFFERED, status: ["enabled", "disabled"] } },
      { signal },
    ),
  enabled: search.length >= LETTERS,
});

/**
 * The people who have these addresses.
 * @throws RECIPIENTS_NOT_FOUND that names addresses nobody has, or nobody who may be meant
 */
export async function findByEmail(
  emails: readonly string[],
  isMeant: (user: User) => boolean = () => true,
): Promise<User[]> {
  if (emails.length === 0) return [];
  const { results } = await client.users.list({
    query: { users: [...emails], field: "email", page_size: emails.length },
  });
  const found = new Map(results.filter(isMeant).map((user) => [user.email.toLowerCase(), user]));
  const unknown = emails.filter((email) => !found.has(email.toLowerCase()));
  if (unknown.length > 0) throw new AppError("RECIPIENTS_NOT_FOUND", { details: { unknown: unknown.join(", ") } });
  return [...found.values()];
}

/** The addresses that a refusal names as unknown. */
export const unknownEmails = (error: Error | null): string[] =>
  (error instanceof AppError && error.details?.unknown?.split(", ")) || [];
