import type { InstallOptions, PushOptions } from "@terrarium/adb";
import type { AppLink } from "../apps/install-app.ts";

/** A device that takes files. */
export class FakeFiles implements AppLink {
  readonly banner = { product: "p", model: "m", device: "d", features: new Set(["cmd"]) };
  /** What it has, by path; APKs as `apk`. */
  readonly files = new Map<string, string>();
  /** What it says when it refuses. */
  refusal: Error | undefined;
  /** It takes nothing until this is settled. */
  gate: Promise<void> = Promise.resolve();
  received = 0;

  async install({ source, signal }: InstallOptions): Promise<void> {
    this.files.set("apk", await this.#take(source, signal));
  }

  async push({ path, source, signal }: PushOptions): Promise<void> {
    this.files.set(path, "");
    this.files.set(path, await this.#take(source, signal));
  }

  async shell(command: string | readonly string[]) {
    const [name = "", , from = "", to = ""] = [command].flat();
    const content = this.files.get(from);
    if (name === "mv" || name === "rm") this.files.delete(from);
    if (name === "mv" && content !== undefined) this.files.set(to, content);
    return { stdout: "", stderr: "", exitCode: 0 };
  }

  async #take(source: PushOptions["source"], signal: AbortSignal | undefined): Promise<string> {
    const parts: Uint8Array[] = [];
    for await (const part of source) {
      parts.push(part);
      this.received += part.length;
      await this.gate;
      signal?.throwIfAborted();
      if (this.refusal) throw this.refusal;
    }
    signal?.throwIfAborted();
    return Buffer.concat(parts).toString();
  }
}
