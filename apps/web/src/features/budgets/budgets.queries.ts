import "../../en/budgets.ts";
import type { Budget, Contract, Sent } from "@terrarium/contract";
import { mutation } from "../../components/mutation.ts";
import { client } from "../../session/client.ts";
import { findByEmail } from "../../shared/colleagues.queries.ts";
import { isGone } from "../../shared/is-gone.ts";
import { organizationKey } from "../../shared/organizations.queries.ts";

type Body = Sent<Contract["budgets"]["create"]>["body"];

/** All budgets, and what this month has used. Below the key of the organization, so that it is read again whenever devices start or stop. */
export const budgets = {
  queryKey: [...organizationKey, "budgets"] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => client.budgets.list({}, { signal }),
  refetchInterval: 60_000,
};

const invalidates = () => [budgets.queryKey];

/** The form says what was refused. @throws RECIPIENTS_NOT_FOUND if nobody of the organization has the address */
export const createBudget = mutation({
  mutationKey: ["budgets", "create"],
  mutationFn: async ({ email, organization, ...body }: Body & { email: string | undefined; organization: string }) => {
    const [user] = await findByEmail(
      email === undefined ? [] : [email],
      (one) => one.organization?.uuid === organization,
    );
    return client.budgets.create({ body: { ...body, user_uuid: user?.uuid ?? null } });
  },
  invalidates,
  announces: (t, { of }) => t("budgets.saved", of),
});

export const editBudget = mutation({
  mutationKey: ["budgets", "edit"],
  mutationFn: ({ uuid, ...body }: { uuid: string } & Sent<Contract["budgets"]["edit"]>["body"]) =>
    client.budgets.edit({ params: { uuid }, body }),
  invalidates,
  announces: (t, { of }) => t("budgets.saved", of),
});

export const extendBudget = mutation({
  mutationKey: ["budgets", "extend"],
  mutationFn: ({ uuid }: Budget) => client.budgets.extend({ params: { uuid } }),
  invalidates,
  announces: (t, { of }) => t("budgets.extended", of),
  refuses: (t) => t("budgets.refused.extendFailed"),
});

/** One that is gone already was what was wanted. */
export const removeBudget = mutation({
  mutationKey: ["budgets", "remove"],
  mutationFn: ({ uuid }: Budget) =>
    client.budgets.delete({ params: { uuid } }).catch((error: unknown) => {
      if (!isGone(error)) throw error;
    }),
  invalidates,
  announces: (t, _, { of }) => t("budgets.removed", of),
  refuses: (t) => t("budgets.refused.removeFailed"),
});
