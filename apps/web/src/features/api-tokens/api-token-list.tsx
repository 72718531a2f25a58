import { Box } from "@mui/material";
import { type ApiToken, limits } from "@terrarium/contract";
import type { TFunction } from "i18next";
import Trash2 from "lucide-react/icons/trash-2";
import { longDate } from "../../components/dates.ts";
import { createdColumn } from "../../components/list/created-column.tsx";
import { declareList } from "../../components/list/list.ts";
import { RowName } from "../../components/list/RowName.tsx";
import { pageOfAll } from "../../components/list/page-of-all.ts";
import { RelativeTime } from "../../components/RelativeTime.tsx";
import { serviceNow } from "../../components/service-time.ts";
import type { apiTokens as words } from "../../en/api-tokens.ts";
import { apiTokens } from "./api-tokens.queries.ts";

/** What the list of tokens needs besides the tokens. */
interface ApiTokenListContext {
  t: TFunction;
  /** Asks first. */
  revoke: (token: ApiToken) => void;
}

const lastUse = ({ last_access: time }: ApiToken, t: TFunction) =>
  time === null ? t("common.notAvailable") : <RelativeTime time={time} />;

const expiry = ({ expires_at: time }: ApiToken, t: TFunction) => {
  if (time === null) return t("apiTokens.never");
  return new Date(time).getTime() <= serviceNow() ? t("apiTokens.expired") : longDate(time, "");
};

export const apiTokenList = declareList<ApiToken, ApiTokenListContext>({
  key: "api-tokens",
  query: (ask) => ({
    ...apiTokens,
    select: (tokens: ApiToken[]) => pageOfAll(tokens, ask, ({ description }) => description),
  }),
  idOf: ({ uuid }) => uuid,
  nameOf: ({ description }) => description,
  columns: [
    {
      id: "description",
      flexWidth: 4,
      shown: "always",
      sortBy: "description",
      cell: ({ description }) => <RowName name={description} />,
    },
    {
      id: "prefix",
      flexWidth: 2,
      shown: "first",
      cell: ({ prefix }) => (
        <Box component="span" sx={{ typography: "mono" }}>
          {prefix && `${prefix}…`}
        </Box>
      ),
    },
    {
      id: "scope",
      flexWidth: 3,
      shown: "first",
      cell: ({ scope }, { t }) => t(`apiTokens.scopes.${scope}`),
    },
    {
      id: "expires_at",
      flexWidth: 3,
      align: "right",
      shown: "first",
      sortBy: "expires_at",
      cell: (token, { t }) => expiry(token, t),
    },
    createdColumn("created_at"),
    {
      id: "last_access",
      flexWidth: 3,
      align: "right",
      shown: "first",
      sortBy: "last_access",
      isNewestFirst: true,
      cell: (token, { t }) => lastUse(token, t),
    },
  ],
  ordering: "-created_at",
  pageSizes: [limits.apiTokens],
  pageSize: limits.apiTokens,
  card: (token, { t }) => ({
    title: token.description,
    caption: (
      <>
        {t("apiTokens.created")} <RelativeTime time={token.created_at} />
      </>
    ),
    facts: [
      <span key="scope">{t(`apiTokens.scopes.${token.scope}`)}</span>,
      <span key="expiry">
        {t("apiTokens.columns.expires_at")}: {expiry(token, t)}
      </span>,
      <span key="last">
        {t("apiTokens.columns.last_access")}: {lastUse(token, t)}
      </span>,
    ],
  }),
  actions: (token, { t, revoke }) => [
    {
      id: "revoke",
      glyph: Trash2,
      label: t("apiTokens.revokeOne", token),
      short: t("apiTokens.revoke"),
      isMain: true,
      run: () => revoke(token),
    },
  ],
  words: (t) => ({
    label: t("apiTokens.table"),
    search: t("apiTokens.filter"),
    column: (id) => t(`apiTokens.columns.${id as keyof typeof words.apiTokens.columns}`),
    columnsLead: t("apiTokens.columnsLead"),
    noMatch: ({ search }) => ({ title: t("apiTokens.noMatch.title", { search }), help: t("apiTokens.noMatch.help") }),
    failed: { title: t("errors.fetchApiTokens"), help: t("apiTokens.failed") },
  }),
});
