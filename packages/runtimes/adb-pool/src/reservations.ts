import type { AdbAddress, MachineRef } from "@terrarium/runtime";
import { createHash, randomUUID } from "node:crypto";
import { link, mkdir, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Before } from "./clean-up.ts";

/** Who has a device, until it has been cleaned up after them. */
export interface Reservation extends MachineRef {
  /** The device's serial number in an adb server, or `host:port`. */
  key: string;
  adb: AdbAddress;
  /** How the device was before; undefined while that is being read, when nobody has used it yet. */
  before?: Before;
  /** Nobody uses the device any more, but it is not clean yet. */
  isOver: boolean;
  /** The process that lends it. */
  by: string;
  /** When it began to, in milliseconds since 1970. */
  since: number;
}

/** Reservations as files, one for each device that is reserved, which outlive this process. Two processes never reserve one device. */
export class Reservations {
  readonly #folder: string;
  readonly #log: (line: string) => void;
  readonly #damaged = new Set<string>();

  /** @param folder an absolute path; it is made when the first device is reserved */
  constructor(folder: string, log: (line: string) => void) {
    this.#folder = folder;
    this.#log = log;
  }

  /** Without those whose file is damaged, which are logged; their devices stay reserved. */
  async all(): Promise<Reservation[]> {
    const names = await readdir(this.#folder).catch(ifMissing([]));
    const read = names.map(async (name) => {
      if (!name.endsWith(".json")) return [];
      const one = await this.#read(join(this.#folder, name)).catch((error: unknown) => {
        if (!this.#damaged.has(name)) this.#log(String(error));
        this.#damaged.add(name);
      });
      return one ?? [];
    });
    return (await Promise.all(read)).flat();
  }

  /** @throws Error that names the file if it is damaged */
  of(key: string): Promise<Reservation | undefined> {
    return this.#read(this.#pathOf(key));
  }

  /** Reserves a device. Answers false if it is reserved. */
  async take(reservation: Reservation): Promise<boolean> {
    const temporary = await this.#store(reservation);
    try {
      await link(temporary, this.#pathOf(reservation.key));
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      return false;
    } finally {
      await rm(temporary, { force: true });
    }
  }

  async change(reservation: Reservation): Promise<void> {
    await rename(await this.#store(reservation), this.#pathOf(reservation.key));
  }

  async remove(key: string): Promise<void> {
    await rm(this.#pathOf(key), { force: true });
  }

  /**
   * Takes a device to clean it up, which one process does at a time. Answers false if another has it, and its time is not over.
   * @param until when it is over, in milliseconds since 1970
   */
  async claim(key: string, by: string, { now, until }: { now: number; until: number }): Promise<boolean> {
    const path = this.#claimOf(key);
    const held = await readFile(path, "utf8").catch(ifMissing(undefined));
    if (held !== undefined) {
      if (now < Number(held.split(" ")[1] ?? 0)) return false;
      // Its process has ended. Of two that see so, one moves it away; and none what a third has taken meanwhile.
      const away = `${path}.${randomUUID()}`;
      if (!(await rename(path, away).then(always(true), ifMissing(false)))) return false;
      const moved = await readFile(away, "utf8");
      if (moved !== held) await link(away, path).catch(() => undefined);
      await rm(away);
      if (moved !== held) return false;
    }
    return writeFile(path, `${by} ${until}`, { flag: "wx", mode: 0o600 }).then(always(true), (error) => {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      return false;
    });
  }

  /** The device is cleaned up, or could not be, by this process. */
  async release(key: string, by: string): Promise<void> {
    const held = await readFile(this.#claimOf(key), "utf8").catch(ifMissing(""));
    if (held.startsWith(`${by} `)) await rm(this.#claimOf(key), { force: true });
  }

  async #store(reservation: Reservation): Promise<string> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const temporary = join(this.#folder, `${randomUUID()}.new`);
    const file = await open(temporary, "wx", 0o600);
    try {
      await file.writeFile(JSON.stringify(reservation));
      // Or its name could outlive a power failure, and its content not.
      await file.sync();
    } finally {
      await file.close();
    }
    return temporary;
  }

  async #read(path: string): Promise<Reservation | undefined> {
    const text = await readFile(path, "utf8").catch(ifMissing(undefined));
    try {
      return text === undefined ? undefined : (JSON.parse(text) as Reservation);
    } catch (cause) {
      throw new Error(`the reservation in ${path} is damaged`, { cause });
    }
  }

  #claimOf(key: string): string {
    return this.#pathOf(key).replace(/\.json$/, ".cleaning");
  }

  #pathOf(key: string): string {
    return join(this.#folder, `${createHash("sha256").update(key).digest("hex").slice(0, 32)}.json`);
  }
}

const always =
  <Value>(value: Value) =>
  () =>
    value;

const ifMissing =
  <Value>(value: Value) =>
  (error: NodeJS.ErrnoException): Value => {
    if (error.code === "ENOENT") return value;
    throw error;
  };
