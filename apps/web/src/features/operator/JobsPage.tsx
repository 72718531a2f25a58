import "../../en/operator.ts";
import { Button, Typography } from "@mui/material";
import { useMutation } from "@tanstack/react-query";
import type { Job } from "@terrarium/contract";
import RotateCcw from "lucide-react/icons/rotate-ccw";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx";
import { EmptyState } from "../../components/EmptyState.tsx";
import { Icon } from "../../components/Icon.tsx";
import { ListView } from "../../components/list/ListView.tsx";
import { useList } from "../../components/list/use-list.ts";
import { PageHeader } from "../../components/PageHeader.tsx";
import { OpenDialog, useDialog } from "../../components/use-dialog.tsx";
import { jobList } from "./job-list.tsx";
import { discardJob, retryAllJobs, retryJob } from "./operator.queries.ts";

type Asked = { what: "retryAll" } | { what: "discard"; job: Job };

/** Background work, mails among it: what waits, what has failed and why. */
export default function JobsPage() {
  const { t } = useTranslation();
  const { asked, ask, close } = useDialog<Asked>();
  const { mutate: retry } = useMutation(retryJob);
  const { mutate: discard } = useMutation(discardJob);
  const { mutate: retryAll } = useMutation(retryAllJobs);
  const list = useList(jobList, { t, retry: (job) => retry(job), discard: (job) => ask({ what: "discard", job }) });
  return (
    <>
      <PageHeader title={t("common.titles.operatedJobs")}>
        <Button variant="outlined" onClick={() => ask({ what: "retryAll" })}>
          <Icon glyph={RotateCcw} />
          {t("operator.jobs.retryAll")}
        </Button>
      </PageHeader>
      <ListView
        state={list}
        empty={<EmptyState title={t("operator.jobs.empty.title")} help={t("operator.jobs.empty.help")} />}
      />
      <OpenDialog
        asked={asked}
        dialogs={{
          retryAll: () => (
            <ConfirmDialog
              title={t("operator.jobs.retryAllDialog.title")}
              confirm={t("operator.jobs.retryAllDialog.confirm")}
              onClose={close}
              onConfirm={() => {
                close();
                retryAll();
              }}
            >
              <Typography color="textSecondary">{t("operator.jobs.retryAllDialog.help")}</Typography>
            </ConfirmDialog>
          ),
          discard: ({ job }) => (
            <ConfirmDialog
              isDestructive
              title={t("operator.jobs.discardDialog.title", job)}
              confirm={t("operator.jobs.discardDialog.confirm")}
              onClose={close}
              onConfirm={() => {
                close();
                discard(job);
              }}
            >
              <Typography color="textSecondary">{t("operator.jobs.discardDialog.help")}</Typography>
            </ConfirmDialog>
          ),
        }}
      />
    </>
  );
}
