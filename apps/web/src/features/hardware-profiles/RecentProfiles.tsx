import { Box, ButtonBase, Typography } from "@mui/material";
import type { Theme } from "@mui/material/styles";
import { useQuery } from "@tanstack/react-query";
import type { HardwareProfile } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { FormFactorTile, shapeOf } from "../../shared/FormFactorTile.tsx";
import { recentHardwareProfiles } from "./hardware-profiles.queries.ts";

/** The profiles that somebody worked on last, within one press. Nothing, for those who have none. */
export function RecentProfiles({ onOpen }: { onOpen: (profile: HardwareProfile) => void }) {
  const { t } = useTranslation();
  const { data } = useQuery(recentHardwareProfiles);
  if (!data || data.results.length === 0) return null;
  return (
    <Box component="section" aria-labelledby="recent-profiles" sx={{ mt: 4 }}>
      <Typography variant="label" component="h2" id="recent-profiles" sx={{ display: "block", mb: 2 }}>
        {t("hardwareProfiles.recent")}
      </Typography>
      <Box component="ul" sx={row}>
        {data.results.map((profile) => (
          <li key={profile.uuid}>
            <ButtonBase onClick={() => onOpen(profile)} title={profile.name} sx={chip}>
              <FormFactorTile shape={shapeOf(profile)} />
              <Typography variant="body2" component="span" noWrap sx={{ fontWeight: 550, maxWidth: 200 }}>
                {profile.name}
              </Typography>
            </ButtonBase>
          </li>
        ))}
      </Box>
    </Box>
  );
}

const row = {
  listStyle: "none",
  // Room for the focus ring, which what scrolls would cut off.
  m: -1,
  p: 1,
  display: "flex",
  gap: 2,
  flexWrap: { xs: "nowrap", sm: "wrap" },
  overflowX: { xs: "auto", sm: "visible" },
} as const;
const chip = (theme: Theme) => ({
  gap: 2,
  minHeight: 44,
  pl: 2,
  pr: 3,
  borderRadius: "10px",
  background: theme.vars.palette.background.paper,
  boxShadow: `inset 0 0 0 1px ${theme.vars.palette.divider}, var(--glass-edge)`,
  "&:hover": { boxShadow: `inset 0 0 0 1px ${theme.vars.palette.primary.main}` },
  "@media (forced-colors: active)": { border: "1px solid" },
});
