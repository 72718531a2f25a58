import { MutationCache, type MutationFunctionContext, type QueryClient, type QueryKey } from "@tanstack/react-query";
import { t, type TFunction } from "i18next";
import { announce } from "./announce.ts";
import { snack, type SnackAction } from "./snack-queue.ts";

/** Something that a person does to the service, as a plain value for `useMutation`. */
interface Mutation<Input, Output> {
  /** Names it among others: a refusal is taken back when the same is tried again. */
  mutationKey: QueryKey;
  mutationFn: (input: Input) => Promise<Output>;
  /** What is asked for again: once it is done, or when it was refused and things are not what they were thought to be. */
  invalidates?: (refusal: Error | null) => readonly QueryKey[];
  /** Puts the reply into what was asked for before, so that it is shown at once. */
  caches?: (cache: QueryClient, output: Output) => void;
  /** Said to screen readers, for what the page itself shows. */
  announces?: (t: TFunction, output: Output, input: Input) => string;
  /** Said in a line below, for what the page does not show. */
  says?: (t: TFunction, output: Output, input: Input) => string;
  /** Offered beside what it says: the next step. */
  offers?: (t: TFunction, output: Output, input: Input) => SnackAction;
  /** Said in a line below until it is tried again. Nothing, when the page shows the refusal itself. */
  refuses?: (t: TFunction, error: Error, input: Input) => string | undefined;
}

type Meta = Omit<Mutation<unknown, unknown>, "mutationKey" | "mutationFn">;

declare module "@tanstack/react-query" {
  interface Register {
    mutationMeta: Meta & Record<string, unknown>;
  }
}

/** A mutation that announces its own outcome. The cache below does that, wherever it is used. */
export const mutation = <Input, Output>({ mutationKey, mutationFn, ...meta }: Mutation<Input, Output>) => ({
  mutationKey,
  mutationFn,
  // Not kept until the browser is online: it would be done long after somebody has turned to other things.
  networkMode: "always" as const,
  // The cache gives each its own input and output back.
  meta: meta as Meta & Record<string, unknown>,
});

const invalidate = ({ client, meta }: MutationFunctionContext, refusal: Error | null) => {
  const { invalidates } = (meta ?? {}) as Meta;
  for (const queryKey of invalidates?.(refusal) ?? []) void client.invalidateQueries({ queryKey });
};

/** The cache of mutations of an app: it says and invalidates what each mutation's value asks for. */
export function createMutationCache(): MutationCache {
  const refusals = new Map<string, () => void>();
  const nameOf = (key: QueryKey | undefined) => JSON.stringify(key);
  return new MutationCache({
    onMutate: (_, { options }) => refusals.get(nameOf(options.mutationKey))?.(),
    onSuccess: (output, input, _, { meta }, context) => {
      meta?.caches?.(context.client, output);
      if (meta?.announces) announce(meta.announces(t, output, input));
      if (meta?.says) snack("success", meta.says(t, output, input), meta.offers?.(t, output, input));
      invalidate(context, null);
    },
    onError: (error, input, _, { meta, options }, context) => {
      const said = meta?.refuses?.(t, error, input);
      if (said !== undefined) refusals.set(nameOf(options.mutationKey), snack("error", said));
      invalidate(context, error);
    },
  });
}
