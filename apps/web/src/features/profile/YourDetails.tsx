import { Box, Typography } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import { limits, maxLength, visible } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { Form, SubmitButton } from "../../components/form/Form.tsx";
import { TextField } from "../../components/form/TextField.tsx";
import { useAppForm } from "../../components/form/use-form.ts";
import { snack } from "../../components/snack-queue.ts";
import { PersonMark } from "../../components/PersonMark.tsx";
import { TextInput } from "../../components/TextInput.tsx";
import { client, session } from "../../session/client.ts";
import { publicSettings } from "../../session/settings.ts";
import { useMe } from "../../session/user.ts";

const rules = [maxLength(limits.textLength), visible];

/** One's names, which one may change, and what one is known by. */
export function YourDetails() {
  const { t } = useTranslation();
  const me = useMe();
  const { uuid, email, first_name, last_name, organization, role } = me;
  const hasPictures = useQuery(publicSettings).data?.avatar_url !== undefined;
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
      <Box sx={{ display: "flex", alignItems: "center", gap: 4 }}>
        <PersonMark person={me} size={56} />
        <Typography variant="caption" color="textSecondary">
          {t(hasPictures ? "profile.details.picture" : "profile.details.initials")}
        </Typography>
      </Box>
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
      <TextInput
        readOnly
        sx={fixed}
        label={t("profile.details.email")}
        help={t("profile.details.emailHelp")}
        value={email}
      />
      <Box sx={pair}>
        {organization && (
          <TextInput readOnly sx={fixed} label={t("profile.details.organization")} value={organization.name} />
        )}
        <TextInput readOnly sx={fixed} label={t("profile.details.role")} value={t(`common.roles.${role}`)} />
      </Box>
    </Form>
  );
}

const pair = { display: "grid", gridTemplateColumns: { xs: "minmax(0, 1fr)", sm: "1fr 1fr" }, gap: 3 } as const;
/** Shown, and not to be typed into. */
const fixed = { bgcolor: "background.sunken" } as const;
