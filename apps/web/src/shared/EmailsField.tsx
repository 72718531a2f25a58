import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { EmailChips } from "../components/EmailChips.tsx";
import type { FieldProps } from "../components/form/TextField.tsx";
import { useField } from "../components/form/use-form.ts";
import { nameOf } from "../components/PersonMark.tsx";
import { useDebounced } from "../components/use-debounced.ts";
import { colleaguesLike, PICKER_PAUSE_MS } from "./colleagues.queries.ts";
import { isEmail } from "./email-rules.ts";
import { UnknownEmails } from "./UnknownEmails.tsx";

interface Props<Values extends object> extends FieldProps<Values> {
  /** Addresses that the service did not find: they are named, and taken out together. */
  unknown?: readonly string[];
  /** Nobody is offered, where it is not about colleagues. */
  isForOthers?: boolean;
  /** All who match can be looked through. */
  offersAll?: boolean;
}

/** The addresses of several people, as a field of a form (`emailRules` are its rules). While one is typed, colleagues are offered. */
export function EmailsField<Values extends object>({
  form,
  name,
  label,
  help,
  unknown = [],
  isForOthers = false,
  offersAll = false,
}: Props<Values>) {
  const { t } = useTranslation();
  const { value, error, onChange, onBlur, ref } = useField<readonly string[]>(form, name);
  const [typed, setTyped] = useState("");
  const search = useDebounced(typed, offersAll ? PICKER_PAUSE_MS : undefined);
  /** The text for which all were asked for. */
  const [askedAll, askAll] = useState("");
  const { data: some } = useQuery(colleaguesLike(isForOthers ? "" : search));
  const { data: all } = useQuery(colleaguesLike(askedAll === search ? search : "", { all: true }));
  // What was found for a text is not offered for another.
  const found = typed === search ? (all ?? some) : undefined;
  const { results: people = [], count = 0 } = found ?? {};
  const more = offersAll && count > people.length && askedAll !== search;
  return (
    <div>
      <EmailChips
        label={label}
        help={help}
        error={error}
        value={value}
        onChange={onChange}
        onBlur={onBlur}
        inputRef={ref}
        onType={setTyped}
        isWrong={(email) => !isEmail(email) || unknown.includes(email)}
        more={more ? { label: t("invitation.emails.all", { count }), onAsk: () => askAll(search) } : undefined}
        suggestions={people.map((person) => ({ email: person.email, name: nameOf(person) }))}
      />
      <UnknownEmails
        unknown={value.filter((email) => unknown.includes(email))}
        onRemove={() => onChange(value.filter((email) => !unknown.includes(email)))}
      />
    </div>
  );
}
