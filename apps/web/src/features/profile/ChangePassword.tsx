import { Box } from "@mui/material";
import { required } from "@terrarium/contract";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Form, SubmitButton } from "../../components/form/Form.tsx";
import { PasswordField } from "../../components/form/PasswordField.tsx";
import { useAppForm } from "../../components/form/use-form.ts";
import { snack } from "../../components/snack-queue.ts";
import { client, queryClient } from "../../session/client.ts";
import { useMe } from "../../session/user.ts";
import { identitiesOf } from "../../shared/identities.queries.ts";
import { NewPasswordFields, newPasswordRules } from "../../shared/NewPasswordFields.tsx";
import { NoPassword } from "../../shared/NoPassword.tsx";

/** A new password for somebody who knows the old one, and for others the way to a first one. Once it is changed, the form is empty again. */
export function ChangePassword() {
  const { t } = useTranslation();
  const [changes, setChanges] = useState(0);
  const { uuid } = useMe();
  const { data: ways } = useQuery(identitiesOf(uuid));
  if (ways && !ways.has_password) return <NoPassword says={t("profile.password.none")} />;
  return (
    <PasswordForm
      key={changes}
      onDone={() => {
        setChanges(changes + 1);
        snack("success", t("profile.password.done"));
      }}
    />
  );
}

function PasswordForm({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation();
  const { email } = useMe();
  const form = useAppForm({
    initial: { old_password: "", new_password: "", confirm: "" },
    rules: {
      old_password: [required],
      new_password: newPasswordRules.password,
      confirm: newPasswordRules.confirm("new_password"),
    },
    async send({ old_password, new_password }) {
      await client.passwords.change({ body: { old_password, new_password } });
      // The other places where one was signed in are gone.
      void queryClient.invalidateQueries({ queryKey: ["sessions"] });
      onDone();
    },
    refusalOf: (code) => {
      if (code === "PASSWORD_TOO_COMMON") return { field: "new_password", says: t("profile.password.tooCommon") };
      if (code === "WRONG_PASSWORD") return t("profile.password.wrong");
      if (code === "NO_PASSWORD") return t("profile.password.none");
      return t(code === "TOO_MANY_REQUESTS" ? "profile.password.tooMany" : "profile.password.failed");
    },
  });
  const submit = (
    <Box>
      <SubmitButton form={form} busy={t("profile.password.busy")}>
        {t("profile.password.save")}
      </SubmitButton>
    </Box>
  );
  return (
    <Form form={form} submit={submit}>
      <input hidden readOnly autoComplete="username" value={email} />
      <PasswordField
        form={form}
        name="old_password"
        label={t("profile.password.old")}
        autoComplete="current-password"
      />
      <NewPasswordFields
        form={form}
        name="new_password"
        label={t("profile.password.new")}
        help={t("profile.password.rules")}
        confirm={t("profile.password.confirm")}
      />
    </Form>
  );
}
