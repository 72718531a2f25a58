import { Alert, Box, Typography, useMediaQuery } from "@mui/material";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { AppForm } from "../../components/form/app-form.ts";
import { useValues } from "../../components/form/use-form.ts";
import { DeviceDrawing } from "../../shared/DeviceDrawing.tsx";
import type { DrawnProfile } from "../../shared/drawing-layout.ts";
import { Arch, Sill, Stage } from "../../shared/Stage.tsx";
import { drawnOf, type ProfileFields } from "./profile-fields.ts";

interface Props {
  form: AppForm<ProfileFields>;
  /** How many recipes are made of it. */
  recipes: number;
}

/** The device as it is typed, to scale. While a number is incomplete, it stays as it was. */
export function ProfilePreview({ form, recipes }: Props) {
  const { t } = useTranslation();
  const isWide = useMediaQuery((theme) => theme.breakpoints.up("md"));
  const fields = useValues(form);
  const drawn = JSON.stringify(drawnOf(fields));
  const [shown, setShown] = useState(drawn);
  if (drawn !== undefined && drawn !== shown) setShown(drawn);
  const profile = shown === undefined ? undefined : (JSON.parse(shown) as DrawnProfile);
  return (
    <Box component="figure" aria-label={t("hardwareProfiles.form.preview")} sx={pane}>
      <Stage sx={stage}>
        <Arch sx={glass} />
        <Box sx={{ mb: `${SILL}px` }}>
          {profile && <DeviceDrawing profile={profile} within={isWide ? tall : flat} />}
        </Box>
        <Sill height={SILL} />
      </Stage>
      {recipes > 0 && (
        <Alert severity="info" sx={{ mx: { xs: 6, md: 4 }, my: { xs: 3, md: 4 } }}>
          <Typography variant="body2">{t("hardwareProfiles.form.inUse", { count: recipes })}</Typography>
        </Alert>
      )}
    </Box>
  );
}

const SILL = 28;
const tall = { width: 300, height: 380 };
const flat = { width: 280, height: 116 };
const pane = {
  m: 0,
  display: "flex",
  flexDirection: "column",
  minHeight: 0,
  borderLeft: { md: "1px solid var(--mui-palette-divider)" },
  borderBottom: { xs: "1px solid var(--mui-palette-divider)", md: 0 },
};
const stage = { flex: { md: 1 }, height: { xs: 168, md: "auto" }, placeItems: "end center" };
const glass = { bottom: SILL, width: { xs: 220, md: 300 }, height: { xs: 130, md: "76%" } };
