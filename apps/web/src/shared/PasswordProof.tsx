import "../en/prove.ts";
import { required } from "@terrarium/contract";
import type { AppError } from "@terrarium/sdk";
import { useTranslation } from "react-i18next";
import type { AppForm } from "../components/form/app-form.ts";
import { Form } from "../components/form/Form.tsx";
import { PasswordField } from "../components/form/PasswordField.tsx";
import { useAppForm } from "../components/form/use-form.ts";
import { useMe } from "../session/user.ts";

export interface ProofOptions {
  send: (password: string) => Promise<unknown>;
  /** What else the service may refuse. */
  refusalOf: (code: AppError["code"] | undefined) => string;
}

/** A form in which somebody who is signed in types their password, before something is done that a stranger at their browser must not do. */
export function usePasswordProof({ send, refusalOf }: ProofOptions) {
  const { t } = useTranslation();
  return useAppForm({
    initial: { password: "" },
    rules: { password: [required] },
    send: ({ password }) => send(password),
    refusalOf(code) {
      if (code === "WRONG_PASSWORD") return { field: "password", says: t("prove.wrong") };
      if (code === "NO_PASSWORD") return t("prove.none");
      return code === "TOO_MANY_REQUESTS" ? t("prove.tooMany") : refusalOf(code);
    },
  });
}

/** Its field. */
export function PasswordProof({
  form,
  takesFocus = false,
}: {
  form: AppForm<{ password: string }>;
  takesFocus?: boolean;
}) {
  const { t } = useTranslation();
  return (
    <Form form={form} takesFocus={takesFocus}>
      <PasswordField
        form={form}
        name="password"
        label={t("prove.password")}
        autoComplete="current-password"
        keepsRoom
      />
      <input hidden readOnly autoComplete="username" value={useMe().email} />
    </Form>
  );
}
