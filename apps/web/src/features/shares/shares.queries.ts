import "../../en/shares.ts";
import { AppError, limits, type Recipe } from "@terrarium/contract";
import { mutation } from "../../components/mutation.ts";
import { client } from "../../session/client.ts";
import { isGone } from "../../shared/is-gone.ts";

/** Whom a recipe is shared with. */
export const shareOf = (uuid: string) => ({
  queryKey: ["shares", uuid] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => client.shares.get({ params: { uuid } }, { signal }),
});

export interface ShareAsk {
  recipe: Recipe;
  /** To be looked up. */
  emails: readonly string[];
  /** Whom it is shared with already and stays shared with, by their uuids. */
  people: readonly string[];
  organizations: readonly string[];
  /** One more, or an empty text. */
  organization: string;
  message: string;
}

/** The people who have these addresses, by their uuids. @throws RECIPIENTS_NOT_FOUND that names addresses nobody has */
async function findPeople(emails: readonly string[]): Promise<string[]> {
  if (emails.length === 0) return [];
  const { results } = await client.users.list({
    query: { users: [...emails], field: "email", page_size: limits.shareRecipients },
  });
  const found = new Map(results.map(({ email, uuid }) => [email.toLowerCase(), uuid]));
  const unknown = emails.filter((email) => !found.has(email.toLowerCase()));
  if (unknown.length > 0) throw new AppError("RECIPIENTS_NOT_FOUND", { details: { unknown: unknown.join(", ") } });
  return [...found.values()];
}

/** The addresses that a refusal names as unknown. */
export const unknownEmails = (error: Error | null): string[] =>
  (error instanceof AppError && error.details?.unknown?.split(", ")) || [];

const invalidates = () => [["recipes"], ["shares"]];

/** Shares a recipe, or changes whom it is shared with. The form says what was refused. */
export const shareRecipe = mutation({
  mutationKey: ["recipes", "share"],
  mutationFn: async ({ recipe: { uuid, share }, emails, people, ...ask }: ShareAsk) => {
    const users = [...people, ...(await findPeople(emails))];
    const organizations = [...new Set([...ask.organizations, ...(ask.organization ? [ask.organization] : [])])];
    const body = { recipients: { users }, organizations, message: ask.message };
    return share
      ? client.shares.update({ params: { uuid: share.uuid }, body })
      : client.recipes.share({ params: { uuid }, body });
  },
  invalidates,
  says: (t, _, { recipe: { name, share }, emails, organization }) =>
    t(share && emails.length === 0 && !organization ? "recipes.share.changed" : "recipes.share.success", { name }),
});

/** Ends a share. One that has ended already is what was wanted. */
export const endShare = mutation({
  mutationKey: ["recipes", "end-share"],
  mutationFn: async ({ share }: Recipe) => {
    if (!share) return;
    await client.shares.delete({ params: { uuid: share.uuid } }).catch((error: unknown) => {
      if (!isGone(error)) throw error;
    });
  },
  invalidates,
  says: (t, _, { name }) => t("recipes.share.ended", { name }),
  refuses: (t) => t("errors.endShare"),
});
