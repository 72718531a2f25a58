import { useCallback, useId, useLayoutEffect, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { afterPress } from "./after-press.ts";
import { AppForm, type Broken, type FormOptions, type FormState } from "./app-form.ts";
import { valueAt } from "./field-path.ts";

/**
 * A form. Fields are checked when they are left and from then on at each key; all of them are when it is sent, and the
 * first that is wrong gets the focus. What the service finds wrong with a field is said there, anything else in place.
 * What was typed stays until it was taken.
 */
export function useAppForm<Values extends object>(options: FormOptions<Values>): AppForm<Values> {
  const { t } = useTranslation();
  const id = useId();
  const say = (broken: Broken) => {
    if ("message" in broken) return broken.message;
    const { says, min = 0, max = 0 } = broken;
    return t(`errors.forms.${says}`, { min, max });
  };
  const [form] = useState(() => new AppForm(id, options, say));
  useLayoutEffect(() => form.follow(options, say));
  return form;
}

/** A form with whatever fields. */
interface AnyForm extends Pick<AppForm<object>, "subscribe" | "read" | "first" | "hold"> {
  set(path: string, value: unknown): void;
  check(path: string): void;
}

/** A part of what a form shows. A component renders when its part changes: a primitive, or the same object as before. */
export function useFormState<Values extends object, Part>(
  form: Pick<AppForm<Values>, "subscribe" | "read" | "first">,
  select: (state: FormState<Values>) => Part,
): Part {
  const read = () => select(form.read());
  // A part of a prerendered page may be taken over after a press has changed the form.
  return useSyncExternalStore(form.subscribe, read, () => select(form.first));
}

/** What somebody has given in an element: the text in a line of text, or true in a box that is ticked. */
function givenIn(element: object | null): string | true | undefined {
  if (!(element instanceof HTMLInputElement) || element.type === "radio") return undefined;
  return (element.type === "checkbox" ? element.checked : element.value) || undefined;
}

/** What is typed and chosen. */
export const useValues = <Values extends object>(form: AppForm<Values>): Values =>
  useFormState(form, ({ values }) => values);

/** A field of a form, for the component that shows it. Which value it holds is said by that component. */
export function useField<Value>(form: AnyForm, name: string) {
  const value = useFormState(form, ({ values }) => valueAt(values, name) as Value);
  const error = useFormState(form, ({ errors }) => errors.get(name));
  return {
    value,
    error,
    onChange: (next: Value) => form.set(name, next),
    onBlur: () => afterPress(() => form.check(name)),
    /** For the element that has the focus when the field is wrong. */
    ref: useCallback(
      (element: { focus(): void } | null) => {
        form.hold(name, element);
        const given = givenIn(element);
        const known = valueAt(form.read().values, name);
        // A prerendered page may be filled in before its code has come.
        if (typeof given === typeof known && given !== known) form.set(name, given);
      },
      [form, name],
    ),
  };
}
