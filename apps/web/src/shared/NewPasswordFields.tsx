import { passwordRules, required } from "@terrarium/contract";
import type { FieldPath } from "../components/form/field-path.ts";
import { PasswordField } from "../components/form/PasswordField.tsx";
import type { FieldProps } from "../components/form/TextField.tsx";

/** The rules of a new password and of the field `confirm`, where it is typed again. */
export const newPasswordRules = {
  password: [required, ...passwordRules],
  /** @param name that of the field with the password */
  confirm: <Name extends string>(name: Name) => [
    required,
    (confirm: string, values: Record<Name, string>) =>
      confirm === values[name] ? undefined : ({ says: "samePassword" } as const),
  ],
};

interface Props<Values extends object> extends FieldProps<Values> {
  /** The label of the second field. */
  confirm: string;
  reservesLine?: boolean;
}

/** A new password, typed twice: in the field of this name, and in `confirm`. */
export function NewPasswordFields<Values extends { confirm: string }>({
  confirm,
  reservesLine = false,
  ...first
}: Props<Values>) {
  const again = "confirm" as FieldPath<Values>;
  return (
    <>
      <PasswordField {...first} autoComplete="new-password" />
      <PasswordField
        form={first.form}
        name={again}
        label={confirm}
        autoComplete="new-password"
        reservesLine={reservesLine}
      />
    </>
  );
}
