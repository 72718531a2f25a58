import { AppError } from "@terrarium/sdk";
import { useId, useState } from "react";
import {
  type FieldError,
  type FieldErrors,
  type FieldPath,
  type FieldValues,
  get,
  type Resolver,
  set,
  useForm,
} from "react-hook-form";
import { useTranslation } from "react-i18next";
import type { errors } from "../../en/errors.ts";

/** What a rule finds wrong: the end of a key below `errors.forms` with the numbers of its sentence, or a sentence of the field's own. */
export type Broken = { says: keyof typeof errors.forms; min?: number; max?: number } | { message: string };

/** The rules of each field; the first that is broken is said. A rule may look at the other fields too. */
type Rules<Values> = {
  [Name in keyof Values]?: readonly ((value: Values[Name], values: Values) => Broken | undefined)[];
};

/** What is said when the service refuses: below one field, or for the form as a whole. */
type Refusal<Values extends FieldValues> = string | { field: FieldPath<Values>; says: string };

interface Options<Values extends FieldValues> {
  /** What the form starts with: every field. When that changes, fields that nobody has touched follow. */
  initial: Values;
  rules?: Rules<Values>;
  /** The rules of fields within fields, by their paths. */
  check?: (values: Values) => Iterable<readonly [FieldPath<Values>, Broken | undefined]>;
  /** Sends what was typed, once it keeps the rules. */
  send: (values: Values) => Promise<unknown>;
  /** Turns the code of a refusal into words; undefined for anything that is not an answer of the service. */
  refusalOf: (code: AppError["code"] | undefined) => Refusal<Values>;
}

/**
 * The state of a form. Fields are checked when they are left and from then on at each key; all of them are when it is
 * sent, and the first that is wrong gets the focus. What the service finds wrong with a field is said there, anything else
 * in place. What was typed stays until it was taken.
 */
export function useAppForm<Values extends FieldValues>({ initial, rules, check, send, refusalOf }: Options<Values>) {
  const { t } = useTranslation();
  const id = useId();
  /** Not among the fields' errors: no rule is broken, so the form can be sent again as it is. */
  const [refusal, setRefusal] = useState<string>();

  const names = Object.keys(initial) as (keyof Values & string)[];
  /** A sentence for each field that breaks a rule. */
  const resolver: Resolver<Values> = (values) => {
    const errors: Record<string, FieldError> = {};
    const found = names.map(
      (name) => [name, rules?.[name]?.map((rule) => rule(values[name], values)).find(Boolean)] as const,
    );
    for (const [path, broken] of [...found, ...(check?.(values) ?? [])]) {
      if (!broken) continue;
      if ("message" in broken) {
        set(errors, path, { type: "own", message: broken.message });
        continue;
      }
      const { says, min = 0, max = 0 } = broken;
      set(errors, path, { type: says, message: t(`errors.forms.${says}`, { min, max }) });
    }
    const isRight = Object.keys(errors).length === 0;
    return isRight ? { values, errors: {} } : { values: {}, errors: errors as FieldErrors<Values> };
  };

  const { control, getValues, handleSubmit, setError, setFocus, setValue, formState } = useForm<Values>({
    mode: "onTouched",
    values: initial,
    resetOptions: { keepDirtyValues: true },
    resolver,
  });

  const show = (error: unknown) => {
    const { code, fields } = error instanceof AppError ? error : { code: undefined, fields: [] };
    // What is no field itself, but holds some, has no place for an error.
    const own = fields.filter(({ field }) => !["undefined", "object"].includes(typeof get(getValues(), field)));
    own.forEach(({ field, message }, index) =>
      setError(field as FieldPath<Values>, { type: "service", message }, { shouldFocus: index === 0 }),
    );
    if (own.length > 0) return;
    const refused = refusalOf(code);
    if (typeof refused === "string") setRefusal(refused);
    else setError(refused.field, { type: "service", message: refused.says }, { shouldFocus: true });
  };

  const submit = handleSubmit((values) => send(values).catch(show));
  return {
    id,
    control,
    setFocus,
    setValue,
    isBusy: formState.isSubmitting,
    /** Whether all rules are kept, for forms whose button waits for that. */
    get isValid() {
      return formState.isValid;
    },
    /** What is wrong with the form as a whole. */
    refusal,
    /** Sends it, unless that is under way. */
    submit: (event?: React.BaseSyntheticEvent) => {
      event?.preventDefault();
      if (formState.isSubmitting) return;
      setRefusal(undefined);
      void submit();
    },
  };
}

export type AppForm<Values extends FieldValues> = ReturnType<typeof useAppForm<Values>>;
