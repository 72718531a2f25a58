import "../../en/api-tokens.ts";
import "../../en/program-sign-ins.ts";
import { Box, Button, Skeleton, Typography } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import { required } from "@terrarium/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router";
import { Delayed } from "../../components/Delayed.tsx";
import { Form, SubmitButton } from "../../components/form/Form.tsx";
import { TextField } from "../../components/form/TextField.tsx";
import { useAppForm } from "../../components/form/use-form.ts";
import { focusWhenShown } from "../../components/focus-when-shown.ts";
import { routeRules } from "../../session/routes.ts";
import { EntryPage } from "../../shared/EntryPage.tsx";
import { DecideForm } from "./DecideForm.tsx";
import { asking, isExpired } from "./program-sign-ins.queries.ts";

/** Where a program leads that asks for an API token: its owner says whether it gets one. */
export default function ActivatePage() {
  const [search, setSearch] = useSearchParams();
  const code = search.get("code") ?? "";
  if (code === "") return <EnterCode onEntered={(typed) => setSearch({ code: typed })} />;
  return <Decide key={code} code={code} onOther={() => setSearch({})} />;
}

function EnterCode({ onEntered }: { onEntered: (code: string) => void }) {
  const { t } = useTranslation();
  const form = useAppForm({
    initial: { code: "" },
    rules: { code: [required] },
    send: async ({ code }) => onEntered(code.trim()),
    refusalOf: () => t("errors.decideProgramSignIn"),
  });
  const submit = (
    <SubmitButton form={form} busy={t("programSignIns.enter.busy")} size="large">
      {t("programSignIns.enter.submit")}
    </SubmitButton>
  );
  return (
    <EntryPage title={t("programSignIns.enter.title")}>
      <Typography color="textSecondary">{t("programSignIns.enter.lead")}</Typography>
      <Form form={form} submit={submit} takesFocus>
        <TextField form={form} name="code" label={t("programSignIns.enter.code")} autoComplete="off" reservesLine />
      </Form>
    </EntryPage>
  );
}

function Decide({ code, onOther }: { code: string; onOther: () => void }) {
  const { t } = useTranslation();
  const [decided, setDecided] = useState<"approved" | "refused">();
  const { data, error, isPending, refetch } = useQuery(asking(code));
  if (isPending)
    return (
      <EntryPage title={t("programSignIns.enter.title")}>
        <Delayed>
          <Skeleton variant="rounded" height={200} component="output" aria-label={t("programSignIns.loading")} />
        </Delayed>
      </EntryPage>
    );
  if (!data) {
    const what = isExpired(error) ? "expired" : "failed";
    return (
      <EntryPage title={t(`programSignIns.${what}.title`)}>
        <Typography role="alert">{t(`programSignIns.${what}.text`)}</Typography>
        <Button size="large" onClick={what === "expired" ? onOther : () => void refetch()}>
          {t(what === "expired" ? "programSignIns.expired.other" : "common.tryAgain")}
        </Button>
      </EntryPage>
    );
  }
  if (decided)
    return (
      <EntryPage title={t(`programSignIns.${decided}.title`, data)}>
        {/* What was pressed had the focus, and is gone. */}
        <Box tabIndex={-1} ref={focusWhenShown} sx={{ outline: 0 }}>
          <Typography component="output">{t(`programSignIns.${decided}.text`)}</Typography>
        </Box>
        <Button component={Link} to={routeRules.api.path} size="large">
          {t("programSignIns.tokens")}
        </Button>
      </EntryPage>
    );
  return <DecideForm code={code} asking={data} onDecided={setDecided} />;
}
