import { AppError, newKey } from "@terrarium/sdk";
import type { Instance } from "@terrarium/contract";
import { useEffect, useRef, useState } from "react";
import { startDevice } from "./recipes.queries.ts";
import { isLimitReached } from "./start-error.ts";
import type { StartOf } from "./use-start.ts";

/** One of several devices: its name, and the outcome. */
export interface Attempt {
  name: string;
  /** Repeating an attempt under its key starts no second device. */
  key: string;
  state: "waiting" | "starting" | "started" | "failed" | "skipped";
  device?: Instance;
  /** Why it failed; undefined if the service gave no code. */
  code?: AppError["code"] | undefined;
}

interface Several {
  of: Omit<StartOf, "name">;
  attempts: readonly Attempt[];
  isRunning: boolean;
  /** The limit that ended it. */
  limit: string | undefined;
}

/**
 * Starts devices one after the other. A limit ends it, and so does `stopTheRest`; what was not asked for by then is skipped, and
 * `resume` tries that and what failed. Closing the dialog stops the rest, too.
 */
export function useStartSeveral() {
  const [several, setSeveral] = useState<Several>();
  const ending = useRef(new AbortController());
  useEffect(() => () => ending.current.abort(), []);

  const run = async (of: Several["of"], from: readonly Attempt[]) => {
    const { signal } = (ending.current = new AbortController());
    const attempts = [...from];
    let limit: string | undefined;
    const show = (isRunning: boolean) => {
      // The dialog may be closed by now.
      setSeveral({ of, attempts: [...attempts], isRunning, limit });
    };
    for (const [index, { state, name, key }] of from.entries()) {
      if (state === "started") continue;
      if (signal.aborted || limit !== undefined) {
        attempts[index] = { name, key, state: "skipped" };
        continue;
      }
      attempts[index] = { name, key, state: "starting" };
      show(true);
      try {
        attempts[index] = { name, key, state: "started", device: await startDevice.mutationFn({ ...of, name, key }) };
      } catch (error) {
        const code = error instanceof AppError ? error.code : undefined;
        attempts[index] = { name, key, state: "failed", code };
        if (code !== undefined && isLimitReached(code)) limit = code;
      }
    }
    show(false);
  };

  return {
    several,
    start: (of: Several["of"], names: readonly string[]) =>
      void run(
        of,
        names.map((name) => ({ name, key: newKey(), state: "waiting" })),
      ),
    stopTheRest: () => ending.current.abort(),
    resume: () => {
      if (several) void run(several.of, several.attempts.map(again));
    },
    forgetLimit: () => setSeveral((now) => now && { ...now, limit: undefined }),
  };
}

const again = (attempt: Attempt): Attempt =>
  attempt.state === "started" ? attempt : { name: attempt.name, key: attempt.key, state: "waiting" };
