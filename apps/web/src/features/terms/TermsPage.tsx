import "../../en/terms.ts";
import { Box, Button, Link as MuiLink, Typography } from "@mui/material";
import { useTranslation } from "react-i18next";
import { Link, useLocation, useNavigate } from "react-router";
import { Form, SubmitButton } from "../../components/form/Form.tsx";
import { useAppForm } from "../../components/form/use-form.ts";
import { client, session, signOut } from "../../session/client.ts";
import { redirectOf } from "../../session/guards.ts";
import { EntryPage } from "../../shared/EntryPage.tsx";

export default function TermsPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { search } = useLocation();
  const form = useAppForm({
    initial: {},
    send: async () => {
      session.update(await client.users.acceptTerms());
      await navigate(redirectOf(search), { replace: true });
    },
    refusalOf: () => t("terms.failed"),
  });
  const submit = (
    <>
      <SubmitButton form={form} busy={t("terms.busy")} size="large">
        {t("terms.accept")}
      </SubmitButton>
      <Button variant="text" size="large" onClick={() => void signOut()}>
        {t("common.navigation.signOut")}
      </Button>
    </>
  );
  return (
    <EntryPage title={t("terms.title")}>
      <Typography color="textSecondary">{t("terms.lead")}</Typography>
      <Box sx={links}>
        <MuiLink component={Link} to="/legal/terms-and-conditions/" target="_blank">
          {t("terms.read")}
        </MuiLink>
        <MuiLink component={Link} to="/legal/privacy-policy/" target="_blank">
          {t("terms.privacy")}
        </MuiLink>
      </Box>
      <Form form={form} submit={submit} takesFocus />
    </EntryPage>
  );
}

/** Tall enough for a finger on a phone. */
const links = { display: "flex", gap: 4, flexWrap: "wrap", "& > a": { py: { xs: 3, sm: 0 } } };
