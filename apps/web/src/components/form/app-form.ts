import { AppError } from "@terrarium/sdk";
import type { errors } from "../../en/errors.ts";
import { Listeners } from "../listeners.ts";
import { type FieldPath, type ValueAt, valueAt, withValue } from "./field-path.ts";

/** What a rule finds wrong: the end of a key below `errors.forms` with the numbers of its sentence, or a sentence of the field's own. */
export type Broken = { says: keyof typeof errors.forms; min?: number; max?: number } | { message: string };

/** The rules of each field; the first that is broken is said. A rule may look at the other fields too. */
type Rules<Values> = {
  [Name in keyof Values]?: readonly ((value: Values[Name], values: Values) => Broken | undefined)[];
};

/** What is said when the service refuses: below one field, or for the form as a whole. */
type Refusal<Values> = string | { field: FieldPath<Values>; says: string };

export interface FormOptions<Values> {
  /** What the form starts with: every field. When that changes, fields that nobody has edited follow. */
  initial: Values;
  rules?: Rules<Values>;
  /** The rules of fields within fields, by their paths. */
  check?: (values: Values) => Iterable<readonly [FieldPath<Values>, Broken | undefined]>;
  /** Sends what was typed, once it obeys the rules. */
  send: (values: Values) => Promise<unknown>;
  /** Turns the code of a refusal into words; undefined for anything that is not a reply of the service. */
  refusalOf: (code: AppError["code"] | undefined) => Refusal<Values>;
}

/** What a form shows. */
export interface FormState<Values> {
  values: Values;
  /** What is said at fields, by their paths. */
  errors: ReadonlyMap<string, string>;
  /** Whether all rules are obeyed, for forms whose button waits for that. */
  isValid: boolean;
  isBusy: boolean;
  /** Whether something is other than it was at first. */
  isEdited: boolean;
  /** What is wrong with the form as a whole. */
  refusal: string | undefined;
}

/** The state of a form, held outside React: a key that is pressed renders its field, not the whole form. */
export class AppForm<Values extends object> {
  readonly id: string;
  /** As it was made: what a prerendered page shows of it. */
  readonly first: FormState<Values>;
  #options: FormOptions<Values>;
  #say: (broken: Broken) => string;
  #state: FormState<Values>;
  /** Fields whose errors are shown: those that were left. Once the form was sent, it is all of them. */
  #left = new Set<string>();
  #wasSent = false;
  /** What the service said of fields that have not been changed since. */
  #refused = new Map<string, string>();
  /** What the service has accepted. It may store it differently: without the spaces around it. */
  #taken: Values | undefined;
  readonly #elements = new Map<string, { focus(): void }>();
  readonly #listeners = new Listeners();

  constructor(id: string, options: FormOptions<Values>, say: (broken: Broken) => string) {
    this.id = id;
    this.#options = options;
    this.#say = say;
    this.#state = {
      values: options.initial,
      errors: new Map(),
      isValid: true,
      isBusy: false,
      isEdited: false,
      refusal: undefined,
    };
    this.#change({});
    this.first = this.#state;
  }

  readonly subscribe = this.#listeners.subscribe;
  readonly read = (): FormState<Values> => this.#state;

  /** From now on these options hold; a form that now starts with something else starts anew, but for what was edited. */
  follow(options: FormOptions<Values>, say: (broken: Broken) => string): void {
    const { initial: was } = this.#options;
    const { initial: now } = options;
    this.#options = options;
    this.#say = say;
    if (isSame(was, now)) return;
    this.#left.clear();
    this.#refused.clear();
    this.#wasSent = false;
    this.#adopt(
      (name, value) => isSame(value, was[name]) || (this.#taken && isSame(value, this.#taken[name])) || false,
    );
  }

  /** Begins anew with the fields that nobody has edited. */
  #adopt(isUnedited: (name: keyof Values, value: unknown) => boolean): void {
    const { values } = this.#state;
    const { initial } = this.#options;
    const names = Object.keys(initial) as (keyof Values)[];
    const adopted = names.map((name) => [name, isUnedited(name, values[name]) ? initial[name] : values[name]]);
    this.#change({ values: Object.fromEntries(adopted) as Values });
  }

  set<Path extends FieldPath<Values>>(path: Path, value: ValueAt<Values, Path>): void {
    for (const refused of this.#refused.keys())
      if (refused === path || refused.startsWith(`${path}.`)) this.#refused.delete(refused);
    this.#change({ values: withValue(this.#state.values, path, value) });
  }

  /** From now on it is said what is wrong with the field. */
  check(path: FieldPath<Values>): void {
    this.#left.add(path);
    this.#change({});
  }

  focus(path: FieldPath<Values>): void {
    this.#elements.get(path)?.focus();
  }

  /** Takes note of the element that has the focus for a field. */
  hold(path: string, element: { focus(): void } | null): void {
    if (element) this.#elements.set(path, element);
    else this.#elements.delete(path);
  }

  /** Sends it, unless that is under way. */
  readonly submit = (event?: { preventDefault(): void }): void => {
    event?.preventDefault();
    if (!this.#state.isBusy) void this.#send();
  };

  async #send(): Promise<void> {
    this.#wasSent = true;
    this.#refused.clear();
    this.#change({ refusal: undefined });
    if (!this.#state.isValid) return this.#focusFirstWrong();
    this.#change({ isBusy: true });
    const { values } = this.#state;
    const { initial: was } = this.#options;
    this.#taken = undefined;
    try {
      await this.#options.send(values);
      this.#taken = values;
      // The stored values may have come before the end of the call, or be those from before it.
      const { initial: now } = this.#options;
      this.#adopt(
        (name, value) =>
          isSame(value, values[name]) && (!isSame(now[name], was[name]) || isSame(trimmed(value), now[name])),
      );
    } catch (error) {
      this.#show(error);
    }
    this.#change({ isBusy: false });
  }

  #show(error: unknown): void {
    const { code, fields } = error instanceof AppError ? error : { code: undefined, fields: [] };
    // What is no field itself, but holds some, has no place for an error.
    const own = fields.filter(
      ({ field }) => !["undefined", "object"].includes(typeof valueAt(this.#state.values, field)),
    );
    for (const { field, message } of own) this.#refused.set(field, message);
    const refused = own.length > 0 ? undefined : this.#options.refusalOf(code);
    if (typeof refused === "object") this.#refused.set(refused.field, refused.says);
    this.#change({ refusal: typeof refused === "string" ? refused : undefined });
    this.#focusFirstWrong();
  }

  #focusFirstWrong(): void {
    const first = [...this.#state.errors.keys()].find((path) => this.#elements.has(path));
    if (first !== undefined) this.#elements.get(first)?.focus();
  }

  #change(change: Partial<FormState<Values>>): void {
    const next = { ...this.#state, ...change };
    const broken = new Map(this.#broken(next.values));
    const errors = new Map(
      [...broken.keys(), ...this.#refused.keys()].flatMap((path) => {
        const isShown = this.#wasSent || this.#left.has(path);
        const says = this.#refused.get(path) ?? (isShown ? broken.get(path) : undefined);
        return says === undefined ? [] : [[path, says] as const];
      }),
    );
    const isEdited = !isSame(next.values, this.#options.initial);
    this.#state = { ...next, errors, isValid: broken.size === 0, isEdited };
    this.#listeners.notify();
  }

  *#broken(values: Values): Iterable<readonly [string, string]> {
    const { initial, rules, check } = this.#options;
    for (const name of Object.keys(initial) as (keyof Values & string)[]) {
      const broken = rules?.[name]?.map((rule) => rule(values[name], values)).find(Boolean);
      if (broken) yield [name, this.#say(broken)];
    }
    for (const [path, broken] of check?.(values) ?? []) if (broken) yield [path, this.#say(broken)];
  }
}

const trimmed = (value: unknown): unknown => (typeof value === "string" ? value.trim() : value);

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
