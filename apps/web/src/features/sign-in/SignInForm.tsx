import { Button, Typography } from "@mui/material";
import { email, required } from "@terrarium/contract";
import { AppError } from "@terrarium/sdk";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { Form, SubmitButton } from "../../components/form/Form.tsx";
import { PasswordField } from "../../components/form/PasswordField.tsx";
import { TextField } from "../../components/form/TextField.tsx";
import { useAppForm } from "../../components/form/use-form.ts";
import { optionalPart } from "../../components/optional-part.ts";
import { useOnTheWay } from "../../session/use-on-the-way.ts";
import { refusalKey } from "./refusal.ts";

/** Few need it. */
const ResendLink = optionalPart(async () => ({ default: (await import("../../shared/ResendLink.tsx")).ResendLink }));

interface Props {
  signIn: (email: string, password: string) => Promise<void>;
}

export function SignInForm({ signIn }: Props) {
  const { t } = useTranslation();
  const onWay = useOnTheWay();
  const [refused, setRefused] = useState<string>();
  const form = useAppForm({
    initial: { email: "", password: "" },
    rules: { email: [required, email], password: [required] },
    async send(typed) {
      const address = typed.email.trim();
      setRefused(undefined);
      await signIn(address, typed.password).catch((error: unknown) => {
        if (error instanceof AppError && error.code === "BAD_USERNAME_PASSWORD") setRefused(address);
        throw error;
      });
    },
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
      <Button component={Link} to={onWay("/password-reset")} variant="text" size="large">
        {t("signIn.forgot")}
      </Button>
      <Button component={Link} to={onWay("/")} variant="text" size="large">
        {t("signIn.create")}
      </Button>
      {/* The service does not reveal whether an account waits to be confirmed: everybody is asked. */}
      {refused !== undefined && (
        <Suspense>
          <Typography variant="body2">{t("signIn.unconfirmed")}</Typography>
          <ResendLink email={refused} />
        </Suspense>
      )}
    </>
  );
  return (
    <Form form={form} submit={submit} takesFocus>
      <TextField
        form={form}
        name="email"
        label={t("signIn.email")}
        type="email"
        autoComplete="username webauthn"
        reservesLine
      />
      <PasswordField
        form={form}
        name="password"
        label={t("signIn.password")}
        autoComplete="current-password"
        reservesLine
      />
    </Form>
  );
}
