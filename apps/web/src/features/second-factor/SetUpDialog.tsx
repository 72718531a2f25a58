import { Box } from "@mui/material";
import type { TotpSetup } from "@terrarium/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AppDialog } from "../../components/AppDialog.tsx";
import { Form, SubmitButton } from "../../components/form/Form.tsx";
import { snack } from "../../components/snack-queue.ts";
import { client } from "../../session/client.ts";
import { useMe } from "../../session/user.ts";
import { ProofDialog } from "../../shared/proof/ProofDialog.tsx";
import { AppKey } from "./AppKey.tsx";
import { CodeField } from "./CodeField.tsx";
import { secondFactorRefusalKey } from "./refusal.ts";
import { useCodeForm } from "./use-code-form.ts";

interface Props {
  onClose: () => void;
  /** The app is set up; the codes are shown only now, and there are none if somebody had them before. */
  onDone: (codes: string[]) => void;
}

/** Sets up an authenticator app: the proof of who one is, then the app's key, then a code that it shows. */
export function SetUpDialog({ onClose, onDone }: Props) {
  const { t } = useTranslation();
  const { uuid } = useMe();
  const [setup, setSetup] = useState<TotpSetup>();
  if (setup) return <KeyDialog setup={setup} onClose={onClose} onDone={onDone} />;
  return (
    <ProofDialog
      title={t("secondFactor.setUp.title")}
      text={t("secondFactor.setUp.proof")}
      submit={t("secondFactor.setUp.submit")}
      refusalOf={(code) => t(secondFactorRefusalKey(code))}
      send={async (proof) => setSetup(await client.secondFactor.beginTotp({ params: { uuid }, body: proof }))}
      onClose={onClose}
    />
  );
}

const nothing = () => undefined;

function KeyDialog({ setup, onClose, onDone }: Props & { setup: TotpSetup }) {
  const { t } = useTranslation();
  const { uuid } = useMe();
  const send = async (code: string) => {
    const body = { setup_ticket: setup.setup_ticket, code };
    const { recovery_codes } = await client.secondFactor.addTotp({ params: { uuid }, body });
    snack("success", t("secondFactor.setUp.done"));
    onDone(recovery_codes);
  };
  const form = useCodeForm("totp", send, nothing);
  return (
    <AppDialog
      title={t("secondFactor.setUp.title")}
      onClose={onClose}
      dismiss={t("common.cancel")}
      actions={
        <SubmitButton form={form} busy={t("secondFactor.proof.busy")}>
          {t("secondFactor.setUp.confirm")}
        </SubmitButton>
      }
    >
      <Box sx={{ display: "grid", gap: 4 }}>
        <AppKey setup={setup} />
        <Form form={form} takesFocus>
          <CodeField form={form} kind="totp" label={t("secondFactor.setUp.code")} />
        </Form>
      </Box>
    </AppDialog>
  );
}
