import { graphemesOf } from "../draw/graphemes.ts";

export interface FieldOptions {
  multiline?: boolean;
  changed?(text: string): void;
  /** Enter in a field of one line. */
  done?(): void;
}

/** Text being edited, with its caret. Both keyboards, the drawn one and a real one, end here. */
export class Field {
  text: string;
  caret: number;
  /** When the caret last moved; it is shown at once and blinks from then on. */
  touchedAt = 0;
  readonly #options: FieldOptions;

  constructor(text: string, options: FieldOptions = {}) {
    this.text = text;
    this.caret = text.length;
    this.#options = options;
  }

  get multiline(): boolean {
    return this.#options.multiline ?? false;
  }

  insert(text: string): void {
    const clean = this.multiline ? text : text.replaceAll("\n", " ");
    this.#replace(this.caret, this.caret, clean);
  }

  backspace(): void {
    if (this.caret > 0) this.#replace(this.caret - this.#before(), this.caret, "");
  }

  delete(): void {
    const [next] = graphemesOf(this.text.slice(this.caret));
    if (next) this.#replace(this.caret, this.caret + next.length, "");
  }

  enter(): void {
    if (this.multiline) this.insert("\n");
    else this.#options.done?.();
  }

  left(): void {
    this.caret -= this.#before();
  }

  right(): void {
    const [next] = graphemesOf(this.text.slice(this.caret));
    this.caret += next?.length ?? 0;
  }

  place(caret: number): void {
    this.caret = Math.min(this.text.length, Math.max(0, caret));
  }

  /** Code units of the character before the caret. */
  #before(): number {
    return graphemesOf(this.text.slice(0, this.caret)).at(-1)?.length ?? 0;
  }

  /** What has been written of the word at the caret. */
  get word(): string {
    return /[\p{L}']*$/u.exec(this.text.slice(0, this.caret))?.[0] ?? "";
  }

  /** Puts a whole word in place of that. */
  complete(word: string): void {
    this.#replace(this.caret - this.word.length, this.caret, `${word} `);
  }

  #replace(from: number, to: number, text: string): void {
    this.text = this.text.slice(0, from) + text + this.text.slice(to);
    this.caret = from + text.length;
    this.#options.changed?.(this.text);
  }
}
