import "../../en/api-tokens.ts";
import { Typography } from "@mui/material";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type ApiToken, limits } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { AppDialog } from "../../components/AppDialog.tsx";
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx";
import { EmptyState } from "../../components/EmptyState.tsx";
import { ListView } from "../../components/list/ListView.tsx";
import { useList } from "../../components/list/use-list.ts";
import { PageHeader } from "../../components/PageHeader.tsx";
import { OpenDialog, useDialog } from "../../components/use-dialog.tsx";
import { apiTokenList } from "./api-token-list.tsx";
import { apiTokens, revokeApiToken } from "./api-tokens.queries.ts";
import { CreateTokenDialog } from "./CreateTokenDialog.tsx";
import { type NewToken, TokenSecretDialog } from "./TokenSecretDialog.tsx";

type Asked = { what: "create" | "most" } | { what: "secret"; token: NewToken } | { what: "revoke"; token: ApiToken };

/** One's API tokens: what signs in with them, and when it last did. */
export default function ApiTokensPage() {
  const { t } = useTranslation();
  const { asked, ask: setAsked, close } = useDialog<Asked>();
  const { data: all = [] } = useQuery(apiTokens);
  const { mutate: revoke } = useMutation(revokeApiToken);
  const list = useList(apiTokenList, { t, revoke: (token) => setAsked({ what: "revoke", token }) });
  const created = (token: NewToken) => {
    setAsked({ what: "secret", token });
    list.markFresh([token.uuid]);
  };

  return (
    <>
      <PageHeader
        title={t("apiTokens.title")}
        action={{
          label: t("apiTokens.create"),
          run: () => setAsked({ what: all.length < limits.apiTokens ? "create" : "most" }),
        }}
      />
      <ListView
        state={list}
        empty={<EmptyState title={t("apiTokens.empty.title")} help={t("apiTokens.empty.help")} />}
      />
      <OpenDialog
        asked={asked}
        dialogs={{
          create: () => <CreateTokenDialog onClose={close} onCreated={created} />,
          secret: ({ token }) => <TokenSecretDialog token={token} onClose={close} />,
          most: () => (
            <AppDialog
              title={t("apiTokens.most.title", { count: all.length })}
              onClose={close}
              dismiss={t("apiTokens.most.back")}
            >
              <Typography color="textSecondary">{t("apiTokens.most.help")}</Typography>
            </AppDialog>
          ),
          revoke: ({ token }) => (
            <ConfirmDialog
              isDestructive
              title={t("apiTokens.revokeDialog.title", token)}
              confirm={t("apiTokens.revokeDialog.confirm")}
              onClose={close}
              onConfirm={() => {
                close();
                revoke(token);
              }}
            >
              <Typography color="textSecondary">{t("apiTokens.revokeDialog.help")}</Typography>
            </ConfirmDialog>
          ),
        }}
      />
    </>
  );
}
