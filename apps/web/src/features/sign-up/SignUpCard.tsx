import "../../en/sign-up.ts";
import { Box, Button, Paper, Typography } from "@mui/material";
import { limits } from "@terrarium/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { focusWhenShown } from "../../components/focus-when-shown.ts";
import { MailboxLink } from "../../shared/MailboxLink.tsx";
import { ResendLink } from "../../shared/ResendLink.tsx";
import { SignUpForm, type Typed } from "./SignUpForm.tsx";

/** The form that creates an account, and then where its mail went. `?email=` fills in the address. */
export function SignUpCard() {
  const [search] = useSearchParams();
  const [typed, setTyped] = useState<Typed>({
    email: search.get("email") ?? "",
    organization_name: "",
    instances_zone: undefined,
  });
  const [isSent, setSent] = useState(false);
  const [isBack, setBack] = useState(false);
  const onSent = (sent: Typed) => {
    setTyped(sent);
    setSent(true);
  };
  return (
    <Paper variant="outlined" sx={card}>
      {isSent ? (
        <CheckMail
          email={typed.email}
          onOther={() => {
            setSent(false);
            setBack(true);
          }}
        />
      ) : (
        <SignUpForm typed={typed} onSent={onSent} takesFocus={isBack} />
      )}
    </Paper>
  );
}

function CheckMail({ email, onOther }: { email: string; onOther: () => void }) {
  const { t } = useTranslation();
  return (
    <Box sx={{ display: "grid", gap: 4 }}>
      {/* The form had the focus, and is gone. */}
      <Box tabIndex={-1} ref={focusWhenShown} sx={{ outline: 0, display: "grid", gap: 3 }}>
        <Typography variant="h2">{t("signUp.sent.title")}</Typography>
        <Typography sx={{ overflowWrap: "anywhere" }}>
          {t("signUp.sent.text", { email, days: limits.activationLinkDays })}
        </Typography>
        <Typography variant="body2" color="textSecondary">
          {t("signUp.sent.hint")}
        </Typography>
      </Box>
      <MailboxLink />
      <ResendLink email={email} />
      <Button variant="text" size="large" onClick={onOther}>
        {t("signUp.sent.other")}
      </Button>
    </Box>
  );
}

const card = { p: { xs: 4, sm: 6 }, borderRadius: "14px", boxShadow: "var(--depth-2), var(--glass-edge)" };
