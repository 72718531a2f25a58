import { Box, Typography } from "@mui/material";
import type { Deletion } from "@terrarium/contract";
import { useTranslation } from "react-i18next";

/** As many as one reads before confirming. */
const NAMED = 5;

interface Props {
  deletion: Deletion;
  email: string;
  /** The name of the person's organization; empty for a guest. */
  organization: string;
}

/** Which devices stop with an account, what is deleted, and what stays. */
export function WhatHappens({ deletion, email, organization: name }: Props) {
  const { t } = useTranslation();
  const { devices, recipes, api_tokens: tokens, ends_organization: ends } = deletion;
  const more = devices.length - NAMED;
  return (
    <>
      {devices.length > 0 && (
        <Facts
          title={t("profile.delete.stops", { count: devices.length })}
          facts={[
            ...devices.slice(0, NAMED).map((device) => device.name),
            ...(more > 0 ? [t("profile.delete.more", { count: more })] : []),
          ]}
        />
      )}
      <Facts
        title={t("profile.delete.gone")}
        facts={[
          t("profile.delete.account", { email }),
          ...(tokens > 0 ? [t("profile.delete.tokens", { count: tokens })] : []),
          t("profile.delete.shares"),
          ...(ends ? [t("profile.delete.organization", { name })] : []),
        ]}
      />
      <Facts
        title={t("profile.delete.kept")}
        facts={[
          ...(recipes.kept > 0 ? [t("profile.delete.recipes", { count: recipes.kept, name })] : []),
          t("profile.delete.usage"),
          t("profile.delete.record"),
        ]}
      />
    </>
  );
}

function Facts({ title, facts }: { title: string; facts: readonly string[] }) {
  return (
    <section>
      <Typography variant="h3">{title}</Typography>
      <Box component="ul" sx={{ m: 0, mt: 1, pl: 5, typography: "body2", color: "text.secondary" }}>
        {facts.map((fact, index) => (
          // Devices may have the same name.
          <Box component="li" key={index} sx={{ overflowWrap: "anywhere" }}>
            {fact}
          </Box>
        ))}
      </Box>
    </section>
  );
}
