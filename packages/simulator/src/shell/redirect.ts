import type { ByteSink } from "@terrarium/adb";
import { FileError } from "../files/file-error.ts";
import type { FileWriter } from "../files/file-writer.ts";
import { absolute } from "../files/path.ts";
import type { ByteSource } from "./pipe.ts";
import type { Redirect } from "./script.ts";
import type { ShellState } from "./shell-state.ts";

export interface Streams {
  stdin: ByteSource;
  stdout: ByteSink;
  stderr: ByteSink;
}

/** A redirection that cannot be done. The message is what the shell prints. */
export class RedirectError extends Error {
  override readonly name = "RedirectError";
}

export interface RedirectDeps {
  files: ShellState["files"];
  cwd: string;
  /** Expands the word of a target to a name. */
  expand(target: Redirect["target"]): Promise<string>;
  /** Receives each file that is opened for writing. The caller closes them, even if this throws. */
  opened: FileWriter[];
}

const names = ["stdin", "stdout", "stderr"] as const;
const READ_BYTES = 64 * 1024;
const NEW_FILE_MODE = 0o600;

/** The streams of a command after its redirections, applied from left to right. Throws `RedirectError`. */
export async function redirect(redirects: Redirect[], streams: Streams, deps: RedirectDeps): Promise<Streams> {
  let result = streams;
  for (const { from, kind, target } of redirects) {
    const name = await deps.expand(target);
    const stream = names[from]!;
    if (kind === "duplicate") {
      const goal = names[Number(name)];
      if (!goal || goal === "stdin" || stream === "stdin") throw new RedirectError(`${name}: bad file descriptor`);
      result = { ...result, [stream]: result[goal] };
      continue;
    }
    try {
      const path = absolute(deps.cwd, name);
      if (kind === "read") result = { ...result, stdin: readFrom(deps.files, path) };
      else {
        const writer = kind === "append" ? deps.files.append(path, NEW_FILE_MODE) : deps.files.create(path);
        deps.opened.push(writer);
        result = { ...result, [stream]: writeTo(writer) };
      }
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      throw new RedirectError(`can't ${kind === "read" ? "open" : "create"} ${name}: ${error.message}`);
    }
  }
  return result;
}

function readFrom(files: ShellState["files"], path: string): ByteSource {
  const reader = files.open(path);
  let at = 0;
  return {
    read: async () => {
      const chunk = reader.read(at, READ_BYTES);
      at += chunk.length;
      return chunk.length > 0 ? chunk : undefined;
    },
  };
}

const writeTo = (writer: FileWriter): ByteSink => ({
  write: async (data) => writer.write(typeof data === "string" ? Buffer.from(data) : data),
});
