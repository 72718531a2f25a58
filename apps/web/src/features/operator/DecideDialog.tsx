import { Typography } from "@mui/material";
import { useMutation } from "@tanstack/react-query";
import { limits, maxLength, type PlanRequest, required, trialTerms } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { TextField } from "../../components/form/TextField.tsx";
import { useAppForm } from "../../components/form/use-form.ts";
import { decide, type Decision } from "./operator.queries.ts";

interface Props {
  request: PlanRequest;
  decision: Decision;
  onClose: () => void;
}

/** Asks why a request is approved or rejected, and says what follows from that. */
export function DecideDialog({ request, decision, onClose }: Props) {
  const { t } = useTranslation();
  const { mutateAsync: run } = useMutation(decide);
  const { kind, organization } = request;
  const isApproved = decision === "approve";
  const form = useAppForm({
    initial: { reason: "" },
    rules: { reason: [required, maxLength(limits.textLength)] },
    send: async ({ reason }) => {
      await run({ request, decision, reason: reason.trim() });
      onClose();
    },
    refusalOf: (code) => {
      if (code === "OTHER_PLAN_ACTIVE") return t("operator.requests.hasPlan");
      return t(code === "PLAN_REQUEST_DECIDED" ? "operator.requests.taken" : "errors.operatorChange");
    },
  });
  return (
    <FormDialog
      title={`${t(`operator.requests.${decision}.act`)}: ${organization.name}, ${t(`operator.requests.kinds.${kind}`)}`}
      form={form}
      submit={t(`operator.requests.${decision}.act`)}
      busy={t("operator.requests.busy")}
      onClose={onClose}
    >
      {isApproved && (
        <Typography color="textSecondary">
          {kind === "premium"
            ? t("operator.requests.approve.premium")
            : t("operator.requests.approve.trial", trialTerms[kind])}
        </Typography>
      )}
      <TextField
        form={form}
        name="reason"
        label={t("operator.requests.reason")}
        help={t(isApproved ? "operator.requests.reasonHelp" : "operator.requests.rejectHelp")}
        max={limits.textLength}
        autoComplete="off"
      />
    </FormDialog>
  );
}
