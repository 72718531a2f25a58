import "../../en/sso.ts";
import { Box, Button, Paper, Skeleton, Tooltip, Typography } from "@mui/material";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { Identity } from "@terrarium/contract";
import { AppError } from "@terrarium/sdk";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx";
import { Delayed } from "../../components/Delayed.tsx";
import { RelativeTime } from "../../components/RelativeTime.tsx";
import { useTrouble } from "../../components/use-trouble.ts";
import { publicSettings } from "../../session/settings.ts";
import { useMe } from "../../session/user.ts";
import { identitiesOf } from "../../shared/identities.queries.ts";
import { beginSso } from "./begin.ts";
import { ProviderMark } from "./ProviderMark.tsx";
import { ssoRefusalKey } from "./refusal.ts";
import { unlinkIdentity } from "./sso.queries.ts";

const HERE = "/profile#sign-in-with";

/** With which accounts of others one can sign in, and with which one could. */
export function LinkedProviders() {
  const { t } = useTranslation();
  const me = useMe();
  const trouble = useTrouble();
  const [asked, ask] = useState<Identity>();
  const shown = useRef<HTMLDivElement>(null);
  const linked = useQuery(identitiesOf(me.uuid));
  const providers = useQuery(publicSettings).data?.sso_providers ?? [];
  const { mutate: unlink } = useMutation(unlinkIdentity);
  if (linked.isPending)
    return (
      <Delayed>
        <Skeleton variant="rounded" height={56} aria-label={t("sso.linked.loading")} />
      </Delayed>
    );
  if (linked.isError)
    return (
      <Box role="alert" sx={{ display: "grid", gap: 3, justifyItems: "start" }}>
        <Typography>{t("sso.linked.notLoaded")}</Typography>
        <Button onClick={() => void linked.refetch()}>{t("common.tryAgain")}</Button>
      </Box>
    );
  const { identities, has_password } = linked.data;
  const isLast = identities.length === 1 && !has_password;
  const link = async (name: string) => {
    trouble.takeBack();
    await beginSso(name, { from: HERE, to: HERE, isLink: true }).catch((error: unknown) =>
      trouble.say(t(ssoRefusalKey(error instanceof AppError ? error.code : undefined, { isLink: true }))),
    );
  };
  const others = providers.filter(
    ({ name }) => name !== "organization" && !identities.some((one) => one.provider === name),
  );
  return (
    <Box ref={shown} tabIndex={-1} sx={{ display: "grid", gap: 4, outline: 0 }}>
      {identities.length === 0 ? (
        <Typography variant="body2" color="textSecondary">
          {t("sso.linked.none")}
        </Typography>
      ) : (
        <Paper component="ul" variant="outlined" sx={list}>
          {identities.map((identity) => (
            <Box component="li" key={identity.uuid} sx={row}>
              <ProviderMark name={identity.provider} />
              <Box sx={{ flex: 1, minWidth: 0, overflowWrap: "anywhere" }}>
                <Typography variant="label" component="div">
                  {identity.label}
                </Typography>
                <Typography variant="caption" component="div" sx={{ color: "text.tertiary" }}>
                  {t("sso.linked.as", { email: identity.email })}, {t("sso.linked.used")}{" "}
                  <RelativeTime time={identity.last_used_at} />
                </Typography>
              </Box>
              <Tooltip title={isLast ? t("sso.linked.last") : ""} describeChild>
                <Button
                  aria-disabled={isLast}
                  aria-label={t("sso.linked.unlinkNamed", identity)}
                  onClick={() => !isLast && ask(identity)}
                >
                  {t("sso.linked.unlink")}
                </Button>
              </Tooltip>
            </Box>
          ))}
        </Paper>
      )}
      {others.length > 0 && (
        <Box sx={{ display: "flex", flexWrap: "wrap", gap: 3 }}>
          {others.map(({ name, label }) => (
            <Button key={name} startIcon={<ProviderMark name={name} />} onClick={() => void link(name)}>
              {t("sso.linked.link", { label })}
            </Button>
          ))}
        </Box>
      )}
      {asked && (
        <ConfirmDialog
          title={t("sso.linked.confirm", asked)}
          confirm={t("sso.linked.unlink")}
          isDestructive
          onClose={() => ask(undefined)}
          onConfirm={() => {
            // What was pressed leaves with its line.
            unlink({ user: me.uuid, identity: asked }, { onSuccess: () => shown.current?.focus() });
            ask(undefined);
          }}
        >
          {t("sso.linked.text", asked)}
        </ConfirmDialog>
      )}
    </Box>
  );
}

const list = { m: 0, p: 0, listStyle: "none", borderRadius: "10px" } as const;
const row = {
  display: "flex",
  alignItems: "center",
  gap: 3,
  px: 4,
  py: 2.5,
  "& + &": { borderTop: "1px solid var(--mui-palette-divider)" },
} as const;
