import { useState } from "react";
import { snack } from "./snack-queue.ts";

/** What went wrong with an act, said no longer than until the act is tried again. */
class Trouble {
  #closes: (() => void)[] = [];

  say(message: string): void {
    this.#closes.push(snack("error", message));
  }

  takeBack(): void {
    for (const close of this.#closes.splice(0)) close();
  }
}

export const useTrouble = (): Trouble => useState(() => new Trouble())[0];
