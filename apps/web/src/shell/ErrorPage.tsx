import { Box, Button, Typography } from "@mui/material";
import { AppError } from "@terrarium/sdk";
import { useTranslation } from "react-i18next";
import { Link, useRouteError } from "react-router";
import { TiltedCloche } from "../components/drawings.tsx";

/** What a person sees when a page breaks: what is safe, and two ways on. */
export function ErrorPage() {
  const { t } = useTranslation();
  const error = useRouteError();
  // Nothing has at its own address: loading that again would show the same.
  const hasBroken = Boolean(error);
  const code = error instanceof AppError ? error.code : undefined;
  return (
    <Box
      component="main"
      id="main"
      tabIndex={-1}
      sx={{
        minHeight: "100dvh",
        display: "grid",
        placeContent: "center",
        justifyItems: "center",
        gap: 4,
        p: 4,
        textAlign: "center",
      }}
    >
      <TiltedCloche />
      <Typography variant="h1">{t("errors.page.title")}</Typography>
      <Typography color="textSecondary">{t("errors.page.safe")}</Typography>
      <Box sx={{ display: "flex", gap: 2 }}>
        {hasBroken && (
          <Button variant="contained" color="primary" onClick={() => location.reload()}>
            {t("common.tryAgain")}
          </Button>
        )}
        <Button component={Link} to="/" {...(!hasBroken && { variant: "contained", color: "primary" })}>
          {t("errors.page.home")}
        </Button>
      </Box>
      {code && (
        <Typography variant="mono" color="textSecondary">
          {t("errors.page.code", { code })}
          {error instanceof AppError && error.requestId && ` · ${t("errors.page.request", { id: error.requestId })}`}
        </Typography>
      )}
    </Box>
  );
}
