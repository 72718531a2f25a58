import "../../en/bot-check.ts";
import { Box } from "@mui/material";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { BotCheck } from "./bot-check.ts";
import { Turnstile } from "./turnstile.ts";

/** What Turnstile shows in a form; a puzzle shows nothing. */
export function TurnstileField({ check }: { check: BotCheck | undefined }) {
  return check instanceof Turnstile ? <Widget turnstile={check} /> : null;
}

function Widget({ turnstile }: { turnstile: Turnstile }) {
  const { t } = useTranslation();
  const element = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    const end = new AbortController();
    if (element.current) void turnstile.show(element.current, end.signal);
    return () => end.abort();
  }, [turnstile]);
  return <Box component="fieldset" ref={element} aria-label={t("botCheck.label")} sx={widget} />;
}

const widget = { border: 0, m: 0, p: 0, minWidth: 0, outline: 0, minHeight: 65 } as const;
