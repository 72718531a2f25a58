import { Box } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { AppDialog } from "../components/AppDialog.tsx";
import { SubmitButton } from "../components/form/Form.tsx";
import { useMe } from "../session/user.ts";
import { identitiesOf } from "./identities.queries.ts";
import { NoPassword } from "./NoPassword.tsx";
import { PasswordProof, type ProofOptions, usePasswordProof } from "./PasswordProof.tsx";

interface Props extends ProofOptions {
  title: string;
  /** The act itself: "Unlink". */
  confirm: string;
  /** What it is called while it is under way. */
  busy: string;
  isDestructive?: boolean;
  onClose: () => void;
  children?: React.ReactNode;
}

/** Asks for the password before something is done, and leads accounts that have none to their first one. */
export function PasswordDialog({ title, confirm, busy, isDestructive = false, onClose, children, ...proof }: Props) {
  const { t } = useTranslation();
  const { uuid } = useMe();
  const form = usePasswordProof(proof);
  const hasPassword = useQuery(identitiesOf(uuid)).data?.has_password ?? true;
  return (
    <AppDialog
      title={title}
      onClose={onClose}
      dismiss={t(hasPassword ? "common.cancel" : "common.close")}
      actions={
        hasPassword && (
          <SubmitButton form={form} busy={busy} color={isDestructive ? "error" : "primary"}>
            {confirm}
          </SubmitButton>
        )
      }
    >
      <Box sx={{ display: "grid", gap: 4 }}>
        {children}
        {hasPassword ? <PasswordProof form={form} takesFocus /> : <NoPassword says={t("prove.none")} />}
      </Box>
    </AppDialog>
  );
}
