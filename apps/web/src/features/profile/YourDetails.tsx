import { Box } from "@mui/material";
import { limits, maxLength, visible } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { Form, SubmitButton } from "../../components/form/Form.tsx";
import { TextField } from "../../components/form/TextField.tsx";
import { useAppForm } from "../../components/form/use-form.ts";
import { snack } from "../../components/snack-queue.ts";
import { TextInput } from "../../components/TextInput.tsx";
import { client, session } from "../../session/client.ts";
import { useMe } from "../../session/user.ts";

const rules = [maxLength(limits.textLength), visible];

/** One's names, which one may change, and what one is known by. */
export function YourDetails() {
  const { t } = useTranslation();
  const { uuid, email, first_name, last_name, organization, role } = useMe();
  const form = useAppForm({
    initial: { first_name, last_name },
    rules: { first_name: rules, last_name: rules },
    async send(names) {
      session.update(await client.users.update({ params: { uuid }, body: names }));
      snack("success", t("profile.details.done"));
    },
    refusalOf: () => t("profile.details.failed"),
  });
  const submit = (
    <Box>
      <SubmitButton form={form} busy={t("profile.details.busy")}>
        {t("profile.details.save")}
      </SubmitButton>
    </Box>
  );
  return (
    <Form form={form} submit={submit}>
      <Box sx={pair}>
        <TextField
          form={form}
          name="first_name"
          label={t("profile.details.first")}
          max={limits.textLength}
          autoComplete="given-name"
        />
        <TextField
          form={form}
          name="last_name"
          label={t("profile.details.last")}
          max={limits.textLength}
          autoComplete="family-name"
        />
      </Box>
      <TextInput readOnly label={t("profile.details.email")} help={t("profile.details.emailHelp")} value={email} />
      <Box sx={pair}>
        {organization && <TextInput readOnly label={t("profile.details.organization")} value={organization.name} />}
        <TextInput readOnly label={t("profile.details.role")} value={t(`common.roles.${role}`)} />
      </Box>
    </Form>
  );
}

const pair = { display: "grid", gridTemplateColumns: { xs: "minmax(0, 1fr)", sm: "1fr 1fr" }, gap: 3 } as const;
