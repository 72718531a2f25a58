import { Box, Button, Skeleton, Typography } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { AppDialog } from "../../components/AppDialog.tsx";
import { Delayed } from "../../components/Delayed.tsx";
import { SubmitButton } from "../../components/form/Form.tsx";
import { forgetPreferences } from "../../components/preferences.ts";
import { snack } from "../../components/snack-queue.ts";
import { client, session } from "../../session/client.ts";
import { useMe } from "../../session/user.ts";
import { identitiesOf } from "../../shared/identities.queries.ts";
import { NoPassword } from "../../shared/NoPassword.tsx";
import { PasswordProof, usePasswordProof } from "../../shared/PasswordProof.tsx";
import { deletionOf } from "./profile.queries.ts";
import { WhatHappens } from "./WhatHappens.tsx";

/** Says what happens when one's account is deleted, and asks for the password, unless it cannot be deleted now. */
export function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { uuid, email, organization } = useMe();
  const { data: deletion, isError, refetch } = useQuery(deletionOf(uuid));
  const form = usePasswordProof({
    async send(password) {
      await client.profile.remove({ params: { uuid }, body: { password } });
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
  const hasPassword = useQuery(identitiesOf(uuid)).data?.has_password ?? true;
  const actions = isError ? (
    <Button variant="contained" color="primary" onClick={() => void refetch()}>
      {t("common.tryAgain")}
    </Button>
  ) : mayGo && hasPassword ? (
    <SubmitButton form={form} busy={t("profile.delete.busy")} color="error">
      {t("profile.delete.confirm")}
    </SubmitButton>
  ) : undefined;
  return (
    <AppDialog
      title={t("profile.delete.title")}
      width={520}
      onClose={onClose}
      dismiss={t((mayGo && hasPassword) || isError || !deletion ? "common.cancel" : "common.close")}
      actions={actions}
    >
      {isError && <Typography role="alert">{t("profile.delete.unread")}</Typography>}
      {!deletion && !isError && (
        <Delayed>
          <Skeleton variant="rounded" height={200} aria-label={t("profile.delete.loading")} />
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
          {hasPassword ? <PasswordProof form={form} /> : <NoPassword says={t("prove.none")} />}
        </Box>
      )}
    </AppDialog>
  );
}
