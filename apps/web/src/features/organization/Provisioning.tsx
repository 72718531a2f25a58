import { Box, Button, IconButton, InputAdornment, Typography } from "@mui/material";
import { useMutation } from "@tanstack/react-query";
import { limits, type Provisioning as Provisioned, type ProvisioningToken } from "@terrarium/contract";
import Check from "lucide-react/icons/check";
import Copy from "lucide-react/icons/copy";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx";
import { Icon } from "../../components/Icon.tsx";
import { RelativeTime } from "../../components/RelativeTime.tsx";
import { SecretDialog } from "../../components/SecretDialog.tsx";
import { TextInput } from "../../components/TextInput.tsx";
import { useCopy } from "../../components/use-copy.ts";
import { OpenDialog, useDialog } from "../../components/use-dialog.tsx";
import { ProofDialog } from "../../shared/proof/ProofDialog.tsx";
import { createProvisioningToken, revokeProvisioningToken } from "./organization.queries.ts";

type Asked = { what: "create" } | { what: "secret"; secret: string } | { what: "revoke"; token: ProvisioningToken };

interface Props {
  uuid: string;
  provisioning: Provisioned;
}

/** What a directory needs to provision people and groups: the address of the service, and tokens. */
export function Provisioning({ uuid, provisioning }: Props) {
  const { t } = useTranslation();
  const { asked, ask, close } = useDialog<Asked>();
  const { mutateAsync: create } = useMutation(createProvisioningToken);
  const { mutate: revoke } = useMutation(revokeProvisioningToken);
  const { isCopied, copy } = useCopy();
  const { base_url, own_provider: domain, tokens } = provisioning;
  const isFull = tokens.length >= limits.provisioningTokens;
  return (
    <Box sx={{ display: "grid", gap: 4 }}>
      <TextInput
        readOnly
        sx={{ bgcolor: "background.sunken", typography: "mono" }}
        label={t("organization.provisioning.base")}
        help={t("organization.provisioning.baseHelp")}
        value={base_url}
        onFocus={({ target }) => target.select()}
        endAdornment={
          <InputAdornment position="end">
            <IconButton
              edge="end"
              aria-label={t(isCopied ? "common.copied" : "organization.provisioning.copyBase")}
              onClick={() => copy(base_url)}
            >
              <Icon glyph={isCopied ? Check : Copy} />
            </IconButton>
          </InputAdornment>
        }
      />
      <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: "anywhere" }}>
        {domain === null ? t("organization.provisioning.noDomain") : t("organization.provisioning.domain", { domain })}
      </Typography>
      <Box sx={{ display: "grid", gap: 3 }}>
        <Typography variant="h3">{t("organization.provisioning.tokens")}</Typography>
        {tokens.length === 0 && <Typography color="textSecondary">{t("organization.provisioning.none")}</Typography>}
        {tokens.length > 0 && (
          <Box component="ul" aria-label={t("organization.provisioning.tokens")} sx={list}>
            {tokens.map((token) => (
              <Box component="li" key={token.uuid} sx={row}>
                <Box sx={{ minWidth: 0 }}>
                  <Typography sx={{ typography: "mono" }}>{token.prefix}…</Typography>
                  <Typography variant="body2" color="textSecondary">
                    {t("organization.provisioning.created")} <RelativeTime time={token.created_at} />
                    {" · "}
                    {t("organization.provisioning.used")}:{" "}
                    {token.last_access === null ? (
                      t("organization.provisioning.never")
                    ) : (
                      <RelativeTime time={token.last_access} />
                    )}
                  </Typography>
                </Box>
                <Button
                  variant="text"
                  color="error"
                  aria-label={t("organization.provisioning.revoke.one", token)}
                  onClick={() => ask({ what: "revoke", token })}
                >
                  {t("organization.provisioning.revoke.action")}
                </Button>
              </Box>
            ))}
          </Box>
        )}
        {isFull ? (
          <Typography variant="body2" color="textSecondary">
            {t("organization.provisioning.create.most")}
          </Typography>
        ) : (
          <Box>
            <Button variant="outlined" onClick={() => ask({ what: "create" })}>
              {t("organization.provisioning.create.action")}
            </Button>
          </Box>
        )}
      </Box>
      <OpenDialog
        asked={asked}
        dialogs={{
          create: () => (
            <ProofDialog
              title={t("organization.rules.confirm")}
              text={t("organization.provisioning.create.text")}
              submit={t("organization.provisioning.create.action")}
              busy={t("organization.provisioning.create.busy")}
              send={async (proof) => {
                const { token } = await create({ params: { uuid }, body: proof });
                ask({ what: "secret", secret: token });
              }}
              refusalOf={(code) =>
                t(
                  code === "TOO_MANY_PROVISIONING_TOKENS"
                    ? "organization.provisioning.create.most"
                    : "organization.provisioning.create.failed",
                )
              }
              onClose={close}
            />
          ),
          secret: ({ secret }) => (
            <SecretDialog
              secret={secret}
              words={t("organization.provisioning.secret", { returnObjects: true })}
              onClose={close}
            />
          ),
          revoke: ({ token }) => (
            <ConfirmDialog
              isDestructive
              title={t("organization.provisioning.revoke.title", token)}
              confirm={t("organization.provisioning.revoke.confirm")}
              onClose={close}
              onConfirm={() => {
                close();
                revoke({ uuid, token: token.uuid });
              }}
            >
              <Typography color="textSecondary">{t("organization.provisioning.revoke.help")}</Typography>
            </ConfirmDialog>
          ),
        }}
      />
    </Box>
  );
}

const list = { listStyle: "none", m: 0, p: 0, display: "grid", gap: 3 } as const;
const row = { display: "flex", alignItems: "center", justifyContent: "space-between", gap: 3 } as const;
