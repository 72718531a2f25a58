import { Button } from "@mui/material";
import { email, required } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { Form, SubmitButton } from "../../components/form/Form.tsx";
import { PasswordField } from "../../components/form/PasswordField.tsx";
import { TextField } from "../../components/form/TextField.tsx";
import { useAppForm } from "../../components/form/use-form.ts";
import { refusalKey } from "./refusal.ts";

interface Props {
  signIn: (email: string, password: string) => Promise<void>;
}

export function SignInForm({ signIn }: Props) {
  const { t } = useTranslation();
  const form = useAppForm({
    initial: { email: "", password: "" },
    rules: { email: [required, email], password: [required] },
    send: (typed) => signIn(typed.email.trim(), typed.password),
    refusalOf: (code) => {
      const says = t(refusalKey(code));
      return code === "BAD_USERNAME_PASSWORD" ? { field: "password", says } : says;
    },
  });
  const submit = (
    <>
      <SubmitButton form={form} busy={t("signIn.busy")} size="large">
        {t("signIn.submit")}
      </SubmitButton>
      <Button component={Link} to="/password-reset" variant="text" size="large">
        {t("signIn.forgot")}
      </Button>
    </>
  );
  return (
    <Form form={form} submit={submit} takesFocus>
      <TextField form={form} name="email" label={t("signIn.email")} type="email" autoComplete="username" keepsRoom />
      <PasswordField
        form={form}
        name="password"
        label={t("signIn.password")}
        autoComplete="current-password"
        keepsRoom
      />
    </Form>
  );
}
