import { AppError } from "@terrarium/sdk";
import type { Instance, Recipe } from "@terrarium/contract";
import { useRef, useState } from "react";
import { client } from "../../session/client.ts";
import { randomKey } from "./random-key.ts";
import { isUnanswered } from "./start-error.ts";

/** Minutes; `automatic` leaves it to the organization. */
export type Idle = "automatic" | number;

interface StartAsk {
  recipe: Recipe;
  name: string;
  idle: Idle;
}

/** Asks for a device. An ask that got no answer is repeated under the same key, so that no second device starts. */
export function useStart(): { isBusy: boolean; start: (ask: StartAsk) => Promise<Instance> } {
  const [isBusy, setBusy] = useState(false);
  const attempt = useRef({ ask: "", key: "" });
  const start = async ({ recipe, name, idle }: StartAsk): Promise<Instance> => {
    const ask = JSON.stringify([recipe.uuid, name, idle]);
    if (attempt.current.ask !== ask) attempt.current = { ask, key: randomKey() };
    setBusy(true);
    try {
      return await client.recipes.start(
        {
          params: { uuid: recipe.uuid },
          body: {
            instance_name: name.trim(),
            rename_on_conflict: true,
            ...(idle === "automatic"
              ? { automatic_release: { type: "after_inactivity" } }
              : { timeouts: { inactivity: idle } }),
          },
        },
        { idempotencyKey: attempt.current.key },
      );
    } catch (error) {
      if (error instanceof AppError && !isUnanswered(error.code)) attempt.current = { ask: "", key: "" };
      throw error;
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, start };
}
