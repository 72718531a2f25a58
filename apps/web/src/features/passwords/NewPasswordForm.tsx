import { useTranslation } from "react-i18next";
import { Form, SubmitButton } from "../../components/form/Form.tsx";
import { useAppForm } from "../../components/form/use-form.ts";
import { client } from "../../session/client.ts";
import { NewPasswordFields, newPasswordRules } from "../../shared/NewPasswordFields.tsx";

interface Props {
  linkKey: string;
  /** Whose password it is, for password managers. */
  email: string;
  onDone: () => Promise<void>;
  onExpired: () => void;
}

/** A new password, typed twice. */
export function NewPasswordForm({ linkKey, email, onDone, onExpired }: Props) {
  const { t } = useTranslation();
  const form = useAppForm({
    initial: { new_password: "", confirm: "" },
    rules: {
      new_password: newPasswordRules.password,
      confirm: newPasswordRules.confirm("new_password"),
    },
    async send({ new_password }) {
      await client.passwords.reset({ body: { reset_key: linkKey, new_password } });
      await onDone();
    },
    refusalOf: (code) => {
      if (code === "LINK_EXPIRED") onExpired();
      if (code === "PASSWORD_TOO_COMMON") return { field: "new_password", says: t("passwords.renew.tooCommon") };
      return t(code === "TOO_MANY_REQUESTS" ? "passwords.renew.tooMany" : "passwords.renew.failed");
    },
  });
  const submit = (
    <SubmitButton form={form} busy={t("passwords.renew.busy")} size="large">
      {t("passwords.renew.submit")}
    </SubmitButton>
  );
  return (
    <Form form={form} submit={submit} takesFocus>
      <NewPasswordFields
        form={form}
        name="new_password"
        label={t("passwords.renew.password")}
        help={t("passwords.renew.rules")}
        confirm={t("passwords.renew.confirm")}
        reservesLine
      />
      <input hidden readOnly autoComplete="username" value={email} />
    </Form>
  );
}
