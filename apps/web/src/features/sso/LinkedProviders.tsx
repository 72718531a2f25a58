import "../../en/sso.ts";
import { Box, Button, Paper, Skeleton, Typography } from "@mui/material";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { Identity } from "@terrarium/contract";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { Delayed } from "../../components/Delayed.tsx";
import { ErrorState } from "../../components/ErrorState.tsx";
import { RelativeTime } from "../../components/RelativeTime.tsx";
import { publicSettings } from "../../session/settings.ts";
import { useMe } from "../../session/user.ts";
import { identitiesOf } from "../../shared/identities.queries.ts";
import { ProofDialog } from "../../shared/proof/ProofDialog.tsx";
import { beginLink } from "./begin.ts";
import { ProviderMark } from "./ProviderMark.tsx";
import { ssoRefusalKey } from "./refusal.ts";
import { unlinkIdentity } from "./sso.queries.ts";

/** With which accounts of others one can sign in, and with which one could. */
export function LinkedProviders() {
  const { t } = useTranslation();
  const me = useMe();
  const [linking, setLinking] = useState<{ name: string; label: string }>();
  const [unlinking, setUnlinking] = useState<Identity>();
  const shown = useRef<HTMLDivElement>(null);
  const linked = useQuery(identitiesOf(me.uuid));
  const providers = useQuery(publicSettings).data?.sso_providers ?? [];
  const { mutateAsync: unlink } = useMutation(unlinkIdentity);
  if (linked.isPending)
    return (
      <Delayed>
        <Skeleton variant="rounded" height={56} component="output" aria-label={t("sso.linked.loading")} />
      </Delayed>
    );
  if (linked.isError)
    return (
      <ErrorState
        {...t("sso.linked.broken", { returnObjects: true })}
        error={linked.error}
        onRetry={() => void linked.refetch()}
        isSmall
      />
    );
  const { identities } = linked.data;
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
              <Button aria-label={t("sso.linked.unlinkNamed", identity)} onClick={() => setUnlinking(identity)}>
                {t("sso.linked.unlink")}
              </Button>
            </Box>
          ))}
        </Paper>
      )}
      {others.length > 0 && (
        <Box sx={{ display: "flex", flexWrap: "wrap", gap: 3 }}>
          {others.map(({ name, label }) => (
            <Button key={name} startIcon={<ProviderMark name={name} />} onClick={() => setLinking({ name, label })}>
              {t("sso.linked.link", { label })}
            </Button>
          ))}
        </Box>
      )}
      {linking && (
        <ProofDialog
          title={t("sso.linked.linkTitle", linking)}
          text={t("sso.linked.linkText")}
          submit={t("sso.linked.linkGo", linking)}
          busy={t("sso.leaving", linking)}
          onClose={() => setLinking(undefined)}
          send={(proof) => beginLink(linking.name, "/profile#sign-in-with", proof)}
          refusalOf={(code) => t(ssoRefusalKey(code, { isLink: true }))}
        />
      )}
      {unlinking && (
        <ProofDialog
          title={t("sso.linked.confirm", unlinking)}
          text={t("sso.linked.text", unlinking)}
          submit={t("sso.linked.unlink")}
          busy={t("sso.linked.unlinking")}
          isDestructive
          onClose={() => setUnlinking(undefined)}
          send={async (proof) => {
            await unlink({ user: me.uuid, identity: unlinking, proof });
            // What was pressed leaves with its line.
            flushSync(() => setUnlinking(undefined));
            shown.current?.focus();
          }}
          refusalOf={(code) => t(code === "NO_PASSWORD" ? "sso.linked.last" : "sso.linked.failed")}
        />
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
