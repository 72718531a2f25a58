import { Box, Button, Skeleton, Typography } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { AppDialog } from "../../components/AppDialog.tsx";
import { Delayed } from "../../components/Delayed.tsx";
import { Form, SubmitButton } from "../../components/form/Form.tsx";
import { forgetPreferences } from "../../components/preferences.ts";
import { snack } from "../../components/snack-queue.ts";
import { client, session } from "../../session/client.ts";
import { useMe } from "../../session/user.ts";
import { ProofField } from "../../shared/proof/ProofField.tsx";
import { useProofForm } from "../../shared/proof/use-proof.ts";
import { deletionOf } from "./profile.queries.ts";
import { WhatHappens } from "./WhatHappens.tsx";

/** Says what happens when one's account is deleted, and asks for the proof of who one is, unless it cannot be deleted now. */
export function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { uuid, email, organization } = useMe();
  const { data: deletion, isError, refetch } = useQuery(deletionOf(uuid));
  const { form, hasPassword } = useProofForm({
    async send(proof) {
      await client.profile.remove({ params: { uuid }, body: proof });
      snack("success", t("profile.delete.done"));
      session.close({ bySelf: true });
      forgetPreferences();
    },
    refusalOf(code) {
      // Somebody has left the organization since the dialog was opened.
      if (code === "LAST_MANAGER") void refetch();
      return t("profile.delete.failed");
    },
  });
  const mayGo = deletion?.refusal === null;
  const actions = isError ? (
    <Button variant="contained" color="primary" onClick={() => void refetch()}>
      {t("common.tryAgain")}
    </Button>
  ) : mayGo ? (
    <SubmitButton form={form} busy={t("profile.delete.busy")} color="error">
      {t("profile.delete.confirm")}
    </SubmitButton>
  ) : undefined;
  return (
    <AppDialog
      title={t("profile.delete.title")}
      width={520}
      onClose={onClose}
      dismiss={t(mayGo || isError || !deletion ? "common.cancel" : "common.close")}
      actions={actions}
    >
      {isError && <Typography role="alert">{t("profile.delete.unread")}</Typography>}
      {!deletion && !isError && (
        <Delayed>
          <Skeleton variant="rounded" height={200} component="output" aria-label={t("profile.delete.loading")} />
        </Delayed>
      )}
      {deletion?.refusal && (
        <Typography sx={{ overflowWrap: "anywhere" }}>
          {t(`profile.delete.${deletion.refusal}`, { name: organization?.name ?? "" })}
        </Typography>
      )}
      {deletion && mayGo && (
        <Box sx={{ display: "grid", gap: 5 }}>
          <WhatHappens deletion={deletion} email={email} organization={organization?.name ?? ""} />
          <Form form={form}>
            <ProofField form={form} hasPassword={hasPassword} />
          </Form>
        </Box>
      )}
    </AppDialog>
  );
}
