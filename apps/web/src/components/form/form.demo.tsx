import { CheckboxField } from "./CheckboxField.tsx";
import { Form, SubmitButton } from "./Form.tsx";
import { PasswordField } from "./PasswordField.tsx";
import { SelectField } from "./SelectField.tsx";
import { TextField } from "./TextField.tsx";
import { useAppForm } from "./use-form.ts";

const zones = [
  { value: "europe", label: "Europe" },
  { value: "asia", label: "Southeast Asia" },
];

function Demo({ name = "" }: { name?: string }) {
  const form = useAppForm({
    initial: { name, password: "", zone: "europe", agreed: false },
    rules: { name: [(value) => (value === "" ? { says: "required" } : undefined)] },
    send: () => Promise.reject(new Error("refused")),
    refusalOf: () => "The service refused this. What you typed is still here.",
  });
  const submit = (
    <SubmitButton form={form} busy="Creating">
      Create
    </SubmitButton>
  );
  return (
    <Form form={form} submit={submit}>
      <TextField form={form} name="name" label="Name" help="Seen by everyone you share with" max={250} />
      <PasswordField form={form} name="password" label="Password" autoComplete="new-password" />
      <SelectField form={form} name="zone" label="Zone" choices={zones} />
      <CheckboxField form={form} name="agreed" label="I have read the terms" />
    </Form>
  );
}

/** Each kind of field. */
export const demos = { empty: <Demo />, nearlyFull: <Demo name={"a".repeat(224)} /> };
