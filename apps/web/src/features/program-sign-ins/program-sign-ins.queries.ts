import { AppError } from "@terrarium/contract";
import { mutation } from "../../components/mutation.ts";
import { client } from "../../session/client.ts";

/** Which program asks by a code. Each look counts as a try, so there is one. */
export const asking = (code: string) => ({
  queryKey: ["program-sign-ins", code] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => client.programSignIns.get({ query: { code } }, { signal }),
  staleTime: Infinity,
  retry: false,
});

export const isExpired = (error: unknown): boolean =>
  error instanceof AppError && ["PROGRAM_SIGN_IN_EXPIRED", "invalid_request"].includes(error.code);

export const refuseProgram = mutation({
  mutationKey: ["program-sign-ins", "refuse"],
  mutationFn: (code: string) => client.programSignIns.decide({ body: { code, decision: "refuse" } }),
  refuses: (t, error) => t(isExpired(error) ? "errors.programSignInExpired" : "errors.decideProgramSignIn"),
});
