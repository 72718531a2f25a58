import type { PictureSize } from "@terrarium/sdk/display";
import { Listeners } from "../../../components/listeners.ts";
import { differingRegions, type Region } from "./regions.ts";

/** Where a screen differs from what it is compared with; `turned` if one of them is upright and the other is not. */
export type Found = readonly Region[] | "turned";

interface Seen {
  frame: Uint8ClampedArray;
  isUpright: boolean;
}

/** Compares screens with the first of them, each when another picture of it has come. The first has what any of the others has. */
export class Differences {
  readonly #listeners = new Listeners();
  readonly #seen = new Map<object, Seen>();
  readonly #found = new Map<object, Found>();
  #first: object | undefined;

  readonly subscribe = this.#listeners.subscribe;

  /** Undefined until there is something to compare. The value is the same until it changes. */
  of(screen: object): Found | undefined {
    return this.#found.get(screen);
  }

  /** This is the one that the others are compared with. */
  compareWith(screen: object): void {
    this.#first = screen;
    this.#compareAll();
  }

  /** What a screen shows, in squares (`SIDE`). The array is not written to any more. */
  see(screen: object, frame: Uint8ClampedArray, { width, height }: PictureSize): void {
    this.#seen.set(screen, { frame, isUpright: height > width });
    if (screen === this.#first) this.#compareAll();
    else {
      this.#compare(screen);
      this.#sumUp();
    }
  }

  /** It is not shown any more. */
  forget(screen: object): void {
    this.#seen.delete(screen);
    this.#found.delete(screen);
    if (screen === this.#first) this.#found.clear();
    this.#sumUp();
    this.#listeners.notify();
  }

  #compareAll(): void {
    for (const screen of this.#seen.keys()) this.#compare(screen);
    this.#sumUp();
  }

  #compare(screen: object): void {
    const first = this.#first && this.#seen.get(this.#first);
    const seen = this.#seen.get(screen);
    if (!first || !seen || screen === this.#first) return;
    const found = first.isUpright === seen.isUpright ? differingRegions(first.frame, seen.frame) : "turned";
    this.#set(screen, found);
  }

  #sumUp(): void {
    if (!this.#first) return;
    const others = [...this.#found].filter(([screen]) => screen !== this.#first);
    const regions = others.flatMap(([, found]) => (found === "turned" ? [] : found));
    // Where several differ, it has one outline.
    const distinct = new Map(regions.map((region) => [JSON.stringify(region), region]));
    this.#set(this.#first, others.length > 0 ? [...distinct.values()] : undefined);
  }

  #set(screen: object, found: Found | undefined): void {
    if (JSON.stringify(this.#found.get(screen)) === JSON.stringify(found)) return;
    if (found) this.#found.set(screen, found);
    else this.#found.delete(screen);
    this.#listeners.notify();
  }
}
