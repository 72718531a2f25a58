import { Button } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { publicSettings } from "../session/settings.ts";

/** Where a mail is read that a demonstration would have sent; nothing where mails are sent. */
export function MailboxLink() {
  const { t } = useTranslation();
  const { data } = useQuery(publicSettings);
  if (!data?.has_mailbox) return null;
  return (
    <Button component={Link} to="/mailbox" variant="contained" color="primary" size="large">
      {t("common.openMailbox")}
    </Button>
  );
}
