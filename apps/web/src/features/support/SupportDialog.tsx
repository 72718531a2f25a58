import "../../en/support.ts";
import { Button, Typography } from "@mui/material";
import { email, limits, maxLength, required } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import { AppDialog } from "../../components/AppDialog.tsx";
import { DialogBody } from "../../components/DialogBody.tsx";
import { Form, SubmitButton } from "../../components/form/Form.tsx";
import { TextField } from "../../components/form/TextField.tsx";
import { useAppForm } from "../../components/form/use-form.ts";
import { snack } from "../../components/snack-queue.ts";
import { client } from "../../session/client.ts";
import { useSession } from "../../session/user.ts";

interface Props {
  topic?: "support" | "feedback";
  onClose: () => void;
}

/** A message to whoever operates this installation, from anybody. */
export function SupportDialog({ topic = "support", onClose }: Props) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const known = useSession()?.user.email ?? "";
  const form = useAppForm({
    initial: { email: known, message: "" },
    rules: { email: [required, email], message: [required, maxLength(limits.supportMessageLength)] },
    async send(typed) {
      // The address of a page may hold a key: only plain ones are sent.
      const page = isPlain(pathname) ? pathname : undefined;
      await client.support.send({ body: { ...typed, topic, email: typed.email.trim(), ...(page && { page }) } });
      onClose();
      snack("success", t(`support.sent.${topic}`));
    },
    refusalOf: (code) => t(code === "TOO_MANY_REQUESTS" ? "support.tooMany" : "support.failed"),
  });
  return (
    <AppDialog title={t(`support.title.${topic}`)} onClose={onClose} width={520} isLarge>
      <DialogBody
        actions={
          <>
            <Button variant="text" onClick={onClose}>
              {t("support.cancel")}
            </Button>
            <SubmitButton form={form} busy={t("support.busy")}>
              {t("support.send")}
            </SubmitButton>
          </>
        }
      >
        <Typography color="textSecondary" sx={{ mb: 4 }}>
          {t(`support.lead.${topic}`)}
        </Typography>
        <Form form={form} takesFocus>
          <TextField form={form} name="email" label={t("support.email")} type="email" autoComplete="email" />
          <TextField
            form={form}
            name="message"
            label={t("support.message")}
            help={t(`support.help.${topic}`)}
            multiline
            minRows={5}
            maxRows={12}
            max={limits.supportMessageLength}
          />
        </Form>
      </DialogBody>
    </AppDialog>
  );
}

/** A page of the app without anything in its address that belongs to somebody. */
const isPlain = (path: string): boolean => /^(\/[a-z-]{1,30}){1,3}\/?$/.test(path);
