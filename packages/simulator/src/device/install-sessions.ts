import type { InstallFailure, InstallRules, Packages } from "./packages.ts";
import type { Files } from "../files/files.ts";

/** How many may be open at once; one that is left open leaves its APKs on the disk. */
const MAX_SESSIONS = 50;
const MAX_PARTS = 100;
const FIRST_ID = 1_000_001;

interface Session {
  rules: InstallRules;
  /** Path of each part that was written, by the name its writer gave it. */
  parts: Map<string, string>;
}

/** Installations of several APKs at once: created, written part by part, then committed or abandoned. */
export class InstallSessions {
  readonly #packages: Packages;
  readonly #files: Files;
  readonly #open = new Map<number, Session>();
  #nextId = FIRST_ID;

  constructor(packages: Packages, files: Files) {
    this.#packages = packages;
    this.#files = files;
  }

  /** The number of a new session, or undefined if too many are open. */
  create(rules: InstallRules): number | undefined {
    if (this.#open.size >= MAX_SESSIONS) return undefined;
    this.#open.set(this.#nextId, { rules, parts: new Map() });
    return this.#nextId++;
  }

  has(id: number): boolean {
    return this.#open.has(id);
  }

  /** The path that a part is to be written to; a part of the same name is replaced. Undefined if there are too many. */
  stage(id: number, name: string): string | undefined {
    const parts = this.#open.get(id)?.parts;
    if (!parts || (!parts.has(name) && parts.size >= MAX_PARTS)) return undefined;
    this.#remove(parts.get(name));
    const path = this.#packages.stage();
    parts.set(name, path);
    return path;
  }

  /** Forgets a part that was not received whole. */
  unstage(id: number, name: string): void {
    const parts = this.#open.get(id)?.parts;
    this.#remove(parts?.get(name));
    parts?.delete(name);
  }

  /** Installs what was written. The session is over, whatever the result. */
  commit(id: number): InstallFailure {
    const session = this.#open.get(id);
    if (!session) throw new RangeError(`no session ${id}`);
    try {
      return this.#packages.install([...session.parts.values()], session.rules);
    } finally {
      this.abandon(id);
    }
  }

  abandon(id: number): void {
    for (const path of this.#open.get(id)?.parts.values() ?? []) this.#remove(path);
    this.#open.delete(id);
  }

  #remove(path: string | undefined): void {
    if (path !== undefined && this.#files.exists(path)) this.#files.remove(path);
  }
}
