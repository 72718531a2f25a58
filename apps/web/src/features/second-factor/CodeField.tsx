import { TextField } from "../../components/form/TextField.tsx";
import type { CodeForm, CodeKind } from "./use-code-form.ts";

interface Props {
  form: CodeForm;
  kind: CodeKind;
  label: string;
}

/** For one code. Phones offer the digits of an app, and password managers fill them in. */
export const CodeField = ({ form, kind, label }: Props) => (
  <TextField
    form={form}
    name="code"
    label={label}
    autoComplete={kind === "totp" ? "one-time-code" : "off"}
    inputMode={kind === "totp" ? "numeric" : "text"}
    inputProps={{
      autoCapitalize: "none",
      spellCheck: false,
      style: { fontVariantNumeric: "tabular-nums" },
    }}
    reservesLine
  />
);
