import type { ApiToken, Contract, Sent } from "@terrarium/contract";
import { mutation } from "../../components/mutation.ts";
import { client } from "../../session/client.ts";
import { isGone } from "../../shared/is-gone.ts";

/** All tokens of the person who is signed in. The service gives them at once: there are 25 at most. */
export const apiTokens = {
  queryKey: ["api-tokens"] as const,
  queryFn: async ({ signal }: { signal: AbortSignal }) => (await client.apiTokens.list({}, { signal })).api_tokens,
};

/** Its answer is the only place that ever has the secret. The form says what was refused. */
export const createApiToken = mutation({
  mutationKey: ["api-tokens", "create"],
  mutationFn: (body: Sent<Contract["apiTokens"]["create"]>["body"]) => client.apiTokens.create({ body }),
  invalidates: () => [apiTokens.queryKey],
});

/** Ends a token. One that is gone already was what was wanted. */
export const revokeApiToken = mutation({
  mutationKey: ["api-tokens", "revoke"],
  mutationFn: ({ uuid }: ApiToken) => client.apiTokens.revoke({ params: { uuid } }),
  invalidates: () => [apiTokens.queryKey],
  announces: (t, _, { description }) => t("apiTokens.revokeDialog.done", { description }),
  refuses: (t, error) => (isGone(error) ? undefined : t("errors.revokeApiToken")),
});
