import "../../en/launchpad.ts";
import { Typography } from "@mui/material";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { EmptyState } from "../../components/EmptyState.tsx";
import { ListView } from "../../components/list/ListView.tsx";
import { useList } from "../../components/list/use-list.ts";
import { PageHeader } from "../../components/PageHeader.tsx";
import { useTrouble } from "../../components/use-trouble.ts";
import { useMe } from "../../session/user.ts";
import { LaunchpadTabs } from "../../shared/LaunchpadTabs.tsx";
import { liveSessionList } from "./live-session-list.tsx";

/** The live sessions of one's devices, and those that one is invited to. */
export default function LiveSessionsPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const trouble = useTrouble();
  const list = useList(liveSessionList, { t, me: useMe(), go: (address) => void navigate(address) });
  const hasFailed = list.error !== null;
  useEffect(() => {
    if (!hasFailed) return undefined;
    trouble.say(t("fetchLiveSessions"));
    return () => trouble.takeBack();
  }, [hasFailed, trouble, t]);
  return (
    <>
      <PageHeader title={t("launchpad.title")} />
      <LaunchpadTabs value="liveSessions" />
      {list.rows === undefined && (
        <Typography component="output" variant="body2" color="textSecondary" sx={{ pt: 3 }}>
          {t("liveSessions.fetching")}
        </Typography>
      )}
      <ListView
        state={list}
        empty={<EmptyState title={t("liveSessions.empty.title")} help={t("liveSessions.empty.help")} />}
      />
    </>
  );
}
