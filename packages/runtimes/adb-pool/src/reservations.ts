import type { AdbAddress, MachineRef } from "@terrarium/runtime";
import { createHash, randomUUID } from "node:crypto";
import { link, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
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
}

/** Reservations as files, one for each device that is reserved, which outlive this process. Two processes never reserve one device. */
export class Reservations {
  readonly #folder: string;

  /** @param folder an absolute path; it is made when the first device is reserved */
  constructor(folder: string) {
    this.#folder = folder;
  }

  async all(): Promise<Reservation[]> {
    const names = await readdir(this.#folder).catch(ifMissing([]));
    const read = names.filter((name) => name.endsWith(".json")).map((name) => this.#read(join(this.#folder, name)));
    return (await Promise.all(read)).flatMap((one) => one ?? []);
  }

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

  async #store(reservation: Reservation): Promise<string> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const temporary = join(this.#folder, `${randomUUID()}.new`);
    await writeFile(temporary, JSON.stringify(reservation), { mode: 0o600, flag: "wx" });
    return temporary;
  }

  async #read(path: string): Promise<Reservation | undefined> {
    const text = await readFile(path, "utf8").catch(ifMissing(undefined));
    return text === undefined ? undefined : (JSON.parse(text) as Reservation);
  }

  #pathOf(key: string): string {
    return join(this.#folder, `${createHash("sha256").update(key).digest("hex").slice(0, 32)}.json`);
  }
}

const ifMissing =
  <Value>(value: Value) =>
  (error: NodeJS.ErrnoException): Value => {
    if (error.code === "ENOENT") return value;
    throw error;
  };
