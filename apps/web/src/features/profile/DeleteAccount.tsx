import { Button } from "@mui/material";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { DeleteAccountDialog } from "./DeleteAccountDialog.tsx";

/** The way out. */
export function DeleteAccount() {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="outlined" color="error" onClick={() => setOpen(true)}>
        {t("profile.delete.open")}
      </Button>
      {isOpen && <DeleteAccountDialog onClose={() => setOpen(false)} />}
    </>
  );
}
