import type { ErrorCode, ImportEvent, ImportResult } from "@terrarium/contract";
import { AppError } from "@terrarium/sdk";
import type { QueryKey } from "@tanstack/react-query";
import type { TFunction } from "i18next";
import { imports as words } from "../../en/imports.ts";
import { limits } from "@terrarium/contract";
import { mutation } from "../../components/mutation.ts";
import { client } from "../../session/client.ts";

export interface Importing {
  organization: string;
  file: File;
  createsGroups: boolean;
  signal: AbortSignal;
  /** Called with how many lines are done. */
  onProgress: (done: number, total: number) => void;
}

/** What a file would change. */
export const tryImport = mutation({
  mutationKey: ["imports", "try"],
  mutationFn: (importing: Importing) => send(importing, true),
});

export const importUsers = mutation({
  mutationKey: ["imports", "import"],
  mutationFn: (importing: Importing) =>
    send(importing, false).catch((cause: unknown) => {
      // What was refused has changed nothing; anything else may have.
      if (cause instanceof AppError && cause.status < 500) throw cause;
      throw new BrokenOff({ cause });
    }),
  // Even when it broke off.
  invalidates: (): QueryKey[] => [["groups"], ["users"]],
  announces: (t, { added, failed }) =>
    `${t("imports.done", { count: added })}${failed > 0 ? `. ${t("imports.failed", { count: failed })}` : ""}`,
});

/** @throws AppError if it is refused; something else if the reply began and did not end */
async function send(
  { organization: uuid, file, createsGroups: create_groups, signal, onProgress }: Importing,
  dry_run: boolean,
): Promise<ImportResult> {
  const reply = await client.imports.addUsersToGroups(
    {
      params: { uuid },
      query: { dry_run, create_groups, report: "lines" },
      body: { fields: {}, files: { file: [file] } },
    },
    { signal },
  );
  for await (const event of eventsOf(reply)) {
    if ("result" in event) return event.result;
    onProgress(event.done, event.total);
  }
  throw new Error("The reply ended without a result");
}

/** Some of an import may be done. */
export class BrokenOff extends Error {
  constructor(options?: ErrorOptions) {
    super("The import broke off", options);
  }
}

async function* eventsOf({ body }: Response): AsyncGenerator<ImportEvent> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    const lines = (rest + part.value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line) as ImportEvent;
  }
}

const { errors } = words.imports;
const isSaid = (code: string): code is keyof typeof errors => Object.hasOwn(errors, code);
export const megabytes = limits.importBytes / 1024 ** 2;

/** What is wrong with a file, in words. */
export function sayFault(t: TFunction, code: ErrorCode | "several" | undefined): string {
  const said = code !== undefined && isSaid(code) ? code : "other";
  return t(`imports.errors.${said}`, { lines: limits.importLines, megabytes });
}

/** Why an import came to nothing, in words. */
export function sayImportError(t: TFunction, error: unknown): string {
  if (error instanceof BrokenOff) return t("imports.brokeOff");
  return sayFault(t, error instanceof AppError ? error.code : undefined);
}
