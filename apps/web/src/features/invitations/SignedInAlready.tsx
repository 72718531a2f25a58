import "../../en/join.ts";
import { Button, Typography } from "@mui/material";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { AppDialog } from "../../components/AppDialog.tsx";
import { signOut } from "../../session/client.ts";
import { useMe } from "../../session/user.ts";

/** Says why an invitation did not open: somebody is signed in, perhaps with another address than the one that was invited. */
export default function SignedInAlready({ address, onClose }: { address: string; onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { email } = useMe();
  const leave = async () => {
    onClose();
    await signOut();
    await navigate(address);
  };
  return (
    <AppDialog
      title={t("join.signedIn.title")}
      onClose={onClose}
      dismiss={t("join.signedIn.stay")}
      actions={
        <Button variant="contained" color="primary" onClick={() => void leave()}>
          {t("join.signedIn.signOut")}
        </Button>
      }
    >
      <Typography sx={{ overflowWrap: "anywhere" }}>{t("join.signedIn.text", { email })}</Typography>
    </AppDialog>
  );
}
