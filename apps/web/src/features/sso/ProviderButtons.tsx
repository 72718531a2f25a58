import "../../en/sso.ts";
import { Box, Button, Divider, Typography } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import { AppError } from "@terrarium/sdk";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useTrouble } from "../../components/use-trouble.ts";
import { publicSettings } from "../../session/settings.ts";
import { beginSso, type Purpose } from "./begin.ts";
import { OrganizationForm } from "./OrganizationForm.tsx";
import { ProviderMark } from "./ProviderMark.tsx";
import { ssoRefusalKey } from "./refusal.ts";

/** Buttons to sign in with others; nothing where there are none. */
export default function ProviderButtons(purpose: Purpose) {
  const { t } = useTranslation();
  const trouble = useTrouble();
  const [opening, setOpening] = useState<string>();
  const [asksForAddress, setAsksForAddress] = useState(false);
  // The browser's Back brings the page as it was left, with a provider still opening.
  useEffect(() => {
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && setOpening(undefined);
    globalThis.addEventListener("pageshow", onShow);
    return () => globalThis.removeEventListener("pageshow", onShow);
  }, []);
  const providers = useQuery(publicSettings).data?.sso_providers ?? [];
  if (providers.length === 0) return null;
  const open = async (name: string) => {
    if (name === "organization") return setAsksForAddress(true);
    trouble.takeBack();
    setOpening(name);
    try {
      await beginSso(name, purpose);
    } catch (error) {
      setOpening(undefined);
      trouble.say(t(ssoRefusalKey(error instanceof AppError ? error.code : undefined)));
    }
  };
  return (
    <Box sx={{ display: "grid", gap: 3 }}>
      <Divider sx={{ typography: "caption", color: "text.tertiary" }}>{t("sso.or")}</Divider>
      {providers.map(({ name, label }) => (
        <Button
          key={name}
          size="large"
          variant="outlined"
          aria-disabled={opening !== undefined}
          startIcon={<ProviderMark name={name} />}
          onClick={() => void (opening === undefined && open(name))}
        >
          {t(opening === name ? "sso.leaving" : "sso.with", { label })}
        </Button>
      ))}
      {asksForAddress && <OrganizationForm purpose={purpose} />}
      {providers.some(({ is_stand_in }) => is_stand_in) && (
        <Typography variant="caption" sx={{ color: "text.tertiary" }}>
          {t("sso.standIn")}
        </Typography>
      )}
    </Box>
  );
}
