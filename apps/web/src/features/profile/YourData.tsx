import { Alert, Box, Button, Typography } from "@mui/material";
import { useMutation } from "@tanstack/react-query";
import { AppError } from "@terrarium/sdk";
import Download from "lucide-react/icons/download";
import LoaderCircle from "lucide-react/icons/loader-circle";
import { useTranslation } from "react-i18next";
import { Icon } from "../../components/Icon.tsx";
import { useMe } from "../../session/user.ts";
import { downloadData } from "./profile.queries.ts";

/** Everything that is held on the person, as a file. */
export function YourData() {
  const { t } = useTranslation();
  const { uuid } = useMe();
  const { mutate: download, isPending, error } = useMutation(downloadData);
  const isTooOften = error instanceof AppError && error.code === "TOO_MANY_REQUESTS";
  return (
    <Box sx={{ display: "grid", gap: 3 }}>
      <Typography variant="body2" color="textSecondary">
        {t("profile.data.holds")}
      </Typography>
      {error && <Alert severity="error">{t(isTooOften ? "profile.data.tooMany" : "profile.data.failed")}</Alert>}
      <Box>
        <Button aria-disabled={isPending || undefined} onClick={() => !isPending && download(uuid)}>
          <Icon glyph={isPending ? LoaderCircle : Download} spins={isPending} />
          {t(isPending ? "profile.data.busy" : "profile.data.download")}
        </Button>
      </Box>
    </Box>
  );
}
