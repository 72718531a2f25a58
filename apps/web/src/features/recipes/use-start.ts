import { useMutation } from "@tanstack/react-query";
import { AppError, newKey } from "@terrarium/sdk";
import { useRef } from "react";
import { type StartAsk, startDevice } from "./recipes.queries.ts";
import { isLimitReached } from "./start-error.ts";

/** A start; without a key of its own, it is asked for under one of this page's. */
export type StartOf = Omit<StartAsk, "key"> & Partial<Pick<StartAsk, "key">>;

/**
 * Asks for a device. The same ask is repeated under the same key: had the service heard it and not been heard, no second
 * device would start. `value`: the mutation, which also says what is announced.
 */
export function useStart(value: typeof startDevice = startDevice) {
  const attempt = useRef({ ask: "", key: "" });
  const { mutateAsync, isPending, error, variables, reset } = useMutation(value);
  const refusal = error instanceof AppError ? error.code : undefined;
  const hitsLimit = refusal !== undefined && isLimitReached(refusal);
  return {
    start: async (asked: StartOf) => {
      const ask = JSON.stringify([asked.recipe.uuid, asked.name, asked.idle, asked.queue]);
      if (attempt.current.ask !== ask) attempt.current = { ask, key: newKey() };
      const device = await mutateAsync({ key: attempt.current.key, ...asked });
      attempt.current = { ask: "", key: "" };
      return device;
    },
    isBusy: isPending,
    /** What was asked for last. */
    recipe: variables?.recipe,
    /** The code of the limit that was reached; that takes a dialog to say. */
    limit: hitsLimit ? refusal : undefined,
    hasFailed: error !== null && !hitsLimit,
    refusal,
    forget: reset,
  };
}
