import { Box, Button, Typography } from "@mui/material";
import { useMutation } from "@tanstack/react-query";
import { type Contract, limits, type Reply } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { longDate } from "../../components/dates.ts";
import { FactList } from "../../components/FactList.tsx";
import { Form, SubmitButton } from "../../components/form/Form.tsx";
import { useAppForm } from "../../components/form/use-form.ts";
import { RelativeTime } from "../../components/RelativeTime.tsx";
import { client } from "../../session/client.ts";
import { EntryPage } from "../../shared/EntryPage.tsx";
import { refuseProgram } from "./program-sign-ins.queries.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

interface Props {
  code: string;
  asking: Reply<Contract["programSignIns"]["get"]>;
  onDecided: (decided: "approved" | "refused") => void;
}

/** Who asks, what they would get, and the two answers. */
export function DecideForm({ code, asking, onDecided }: Props) {
  const { t } = useTranslation();
  const { mutate: refuse, isPending: isRefusing } = useMutation(refuseProgram);
  const form = useAppForm({
    initial: {},
    send: async () => {
      await client.programSignIns.decide({ body: { code, decision: "approve" } });
      onDecided("approved");
    },
    refusalOf: (refusal) => {
      if (refusal === "TOO_MANY_API_TOKENS") return t("errors.tooManyApiTokens");
      if (refusal === "TOO_MANY_REQUESTS") return t("errors.programSignInTooMany");
      return t(refusal === "PROGRAM_SIGN_IN_EXPIRED" ? "errors.programSignInExpired" : "errors.decideProgramSignIn");
    },
  });
  const until = new Date(asking.created_at).getTime() + limits.programTokenDays * DAY_MS;
  const submit = (
    <>
      <SubmitButton form={form} busy={t("programSignIns.decide.approving")} size="large">
        {t("programSignIns.decide.approve")}
      </SubmitButton>
      <Button
        size="large"
        aria-disabled={isRefusing || undefined}
        onClick={() => refuse(code, { onSuccess: () => onDecided("refused") })}
      >
        {t("programSignIns.decide.refuse")}
      </Button>
    </>
  );
  return (
    <EntryPage title={t("programSignIns.decide.title", asking)}>
      <Typography color="textSecondary">{t("programSignIns.decide.lead")}</Typography>
      <FactList>
        <dt>{t("programSignIns.decide.code")}</dt>
        <Box component="dd" sx={{ typography: "mono", fontWeight: 600 }}>
          {code.toUpperCase()}
        </Box>
        <dt>{t("programSignIns.decide.host")}</dt>
        <dd>{asking.host}</dd>
        <dt>{t("programSignIns.decide.asked")}</dt>
        <dd>
          <RelativeTime time={asking.created_at} isStop />
        </dd>
        <dt>{t("programSignIns.decide.address")}</dt>
        <Box component="dd" sx={{ typography: "mono" }}>
          {asking.address}
        </Box>
        <dt>{t("programSignIns.decide.may")}</dt>
        <dd>{t(`apiTokens.createDialog.scopeHelp.${asking.scope}`)}</dd>
        <dt>{t("programSignIns.decide.until")}</dt>
        <dd>{longDate(until, "")}</dd>
      </FactList>
      <Form form={form} submit={submit} />
    </EntryPage>
  );
}
