import { Typography } from "@mui/material";
import { useMutation } from "@tanstack/react-query";
import { limits, maxLength, type OperatedPerson, required } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { useAppForm } from "../../components/form/use-form.ts";
import { nameOf } from "../../components/PersonMark.tsx";
import { ProofField } from "../../shared/proof/ProofField.tsx";
import { useProof } from "../../shared/proof/use-proof.ts";
import { actOnPerson, type PersonAct } from "./operator.queries.ts";
import { ReasonField } from "./ReasonField.tsx";

interface Props {
  person: OperatedPerson;
  act: PersonAct;
  onClose: () => void;
}

/** Asks why something is done with a person, and, before their second factor goes, for what proves who one is. */
export function PersonDialog({ person, act, onClose }: Props) {
  const { t } = useTranslation();
  const proof = useProof();
  const { mutateAsync: run } = useMutation(actOnPerson);
  const name = nameOf(person);
  const isProven = act === "factor";
  const form = useAppForm({
    initial: { reason: "", password: "" },
    rules: { reason: [required, maxLength(limits.textLength)], ...(isProven && { password: proof.rules }) },
    send: async ({ reason, password }) => {
      await run({ person, act, reason: reason.trim(), ...(isProven && proof.of(password)) });
      onClose();
    },
    refusalOf: (code) => {
      if (code === "SECOND_FACTOR_MISSING") return t("operator.people.factor.none", { name });
      return proof.refusalOf(code) ?? t("operator.people.failed");
    },
  });
  return (
    <FormDialog
      title={t(`operator.people.${act}.title`, { name })}
      form={form}
      submit={t(`operator.people.${act}.submit`)}
      busy={t("operator.people.busy")}
      onClose={onClose}
      isDestructive={act !== "enable"}
    >
      <Typography color="textSecondary">{t(`operator.people.${act}.help`)}</Typography>
      <ReasonField form={form} />
      {isProven && <ProofField form={form} hasPassword={proof.hasPassword} />}
    </FormDialog>
  );
}
