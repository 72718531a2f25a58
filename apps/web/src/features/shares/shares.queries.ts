import "../../en/shares.ts";
import type { Recipe } from "@terrarium/contract";
import { mutation } from "../../components/mutation.ts";
import { client } from "../../session/client.ts";
import { findByEmail } from "../../shared/colleagues.queries.ts";
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

const invalidates = () => [["recipes"], ["shares"]];

/** Shares a recipe, or changes whom it is shared with. The form says what was refused. */
export const shareRecipe = mutation({
  mutationKey: ["recipes", "share"],
  mutationFn: async ({ recipe: { uuid, share }, emails, people, ...ask }: ShareAsk) => {
    const users = [...people, ...(await findByEmail(emails)).map(({ uuid: each }) => each)];
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
