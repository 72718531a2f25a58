import "../../en/second-factor.ts";
import { Box, Button } from "@mui/material";
import { useTranslation } from "react-i18next";
import { AppDialog } from "../../components/AppDialog.tsx";
import { useMe } from "../../session/user.ts";
import { RecoveryCodes } from "./RecoveryCodes.tsx";

/** Shows new recovery codes. Only its button closes it: a stray press beside it would cost the codes. */
export function SaveCodesDialog({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const { t } = useTranslation();
  const { email } = useMe();
  return (
    <AppDialog
      title={t("secondFactor.keep.title")}
      onClose={() => undefined}
      actions={
        <Button variant="contained" color="primary" onClick={onDone}>
          {t("secondFactor.keep.done")}
        </Button>
      }
    >
      <Box sx={{ display: "grid", gap: 4 }}>
        <RecoveryCodes codes={codes} email={email} />
      </Box>
    </AppDialog>
  );
}
