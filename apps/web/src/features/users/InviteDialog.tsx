import { Box, Typography } from "@mui/material";
import { useMutation } from "@tanstack/react-query";
import { type InviteOutcome, limits, maxLength } from "@terrarium/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AppDialog } from "../../components/AppDialog.tsx";
import type { Broken } from "../../components/form/app-form.ts";
import { Form, SubmitButton } from "../../components/form/Form.tsx";
import { TextField } from "../../components/form/TextField.tsx";
import { useAppForm } from "../../components/form/use-form.ts";
import { emailRules } from "../../shared/email-rules.ts";
import { EmailsField } from "../../shared/EmailsField.tsx";
import { listRow, rowList } from "../../shared/row-list.ts";
import { invitePeople } from "./users.queries.ts";

const atLeastOne = (emails: readonly string[]): Broken | undefined =>
  emails.length === 0 ? { says: "required" } : undefined;

/** Invites people to the organization by mail. If some belong to it already, it shows the outcome for each. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { mutateAsync: invite } = useMutation(invitePeople);
  const [outcomes, setOutcomes] = useState<readonly InviteOutcome[]>();
  const initial: { emails: string[]; message: string } = { emails: [], message: "" };
  const form = useAppForm({
    initial,
    rules: {
      emails: [atLeastOne, ...emailRules<typeof initial>(t, limits.invitationEmails)],
      message: [maxLength(limits.invitationMessageLength)],
    },
    async send({ emails, message }) {
      const { results } = await invite({ emails, optionalMessage: message.trim() });
      if (results.every(({ outcome }) => outcome === "invited")) onClose();
      else setOutcomes(results);
    },
    // The mutation says the others in a line below, and what was typed stays.
    refusalOf: (code) => (code === "ALREADY_MEMBERS" ? { field: "emails", says: t("users.inviteDialog.members") } : ""),
  });
  if (outcomes) return <Outcomes outcomes={outcomes} onClose={onClose} />;
  return (
    <AppDialog
      isLarge
      width={560}
      title={t("users.inviteDialog.title")}
      onClose={onClose}
      dismiss={t("common.cancel")}
      actions={
        <SubmitButton form={form} busy={t("users.inviteDialog.busy")}>
          {t("users.inviteDialog.submit")}
        </SubmitButton>
      }
    >
      <Form form={form} takesFocus>
        <EmailsField
          isForOthers
          form={form}
          name="emails"
          label={t("users.inviteDialog.emails")}
          help={t("users.inviteDialog.emailsHelp")}
        />
        <TextField
          multiline
          minRows={3}
          maxRows={8}
          form={form}
          name="message"
          label={t("users.inviteDialog.message")}
          help={t("users.inviteDialog.messageHelp")}
          max={limits.invitationMessageLength}
        />
      </Form>
    </AppDialog>
  );
}

function Outcomes({ outcomes, onClose }: { outcomes: readonly InviteOutcome[]; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <AppDialog isLarge width={560} title={t("users.inviteDialog.title")} onClose={onClose} dismiss={t("common.close")}>
      <Box component="ul" aria-label={t("users.inviteDialog.sent")} sx={rowList}>
        {outcomes.map(({ email, outcome }) => (
          <Box component="li" key={email} sx={listRow}>
            <Typography noWrap title={email} sx={{ flex: 1, minWidth: 0, fontWeight: 550 }}>
              {email}
            </Typography>
            <Typography variant="body2" color="textSecondary">
              {t(`users.inviteDialog.outcomes.${outcome}`)}
            </Typography>
          </Box>
        ))}
      </Box>
    </AppDialog>
  );
}
