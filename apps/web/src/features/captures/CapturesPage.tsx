import "../../en/captures.ts";
import { Typography } from "@mui/material";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { EmptyState } from "../../components/EmptyState.tsx";
import { ListView } from "../../components/list/ListView.tsx";
import { useList } from "../../components/list/use-list.ts";
import { PageHeader } from "../../components/PageHeader.tsx";
import { sizeText } from "../../components/size-text.ts";
import { useDialog } from "../../components/use-dialog.tsx";
import { type AskedCapture, CaptureDialogs } from "../../shared/captures/CaptureDialogs.tsx";
import { capturePage, saveCapture } from "../../shared/captures/captures.queries.ts";
import { useMe } from "../../session/user.ts";
import { captureList } from "./capture-list.tsx";

/** One's screenshots and recordings, also of devices that are gone, and for managers what takes the room of their organization. */
export default function CapturesPage() {
  const { t } = useTranslation();
  const { asked, ask, close } = useDialog<AskedCapture>();
  const { mutate: save } = useMutation(saveCapture);
  const { data } = useQuery(capturePage({ page_size: 1 }));
  const me = useMe();
  const list = useList(captureList, {
    t,
    me,
    show: (capture) => ask({ what: "show", capture }),
    save,
    remove: (capture) => ask({ what: "remove", capture }),
  });
  return (
    <>
      <PageHeader title={t("captures.title")} />
      {data && (
        <Typography variant="body2" color="textSecondary" sx={{ pb: 3 }}>
          {t(data.own_max_bytes < data.max_bytes ? "captures.roomShared" : "captures.room", {
            own: sizeText(data.own_bytes),
            share: sizeText(data.own_max_bytes),
            used: sizeText(data.used_bytes),
            max: sizeText(data.max_bytes),
          })}
        </Typography>
      )}
      <ListView state={list} empty={<EmptyState title={t("captures.empty.title")} help={t("captures.empty.help")} />} />
      <CaptureDialogs asked={asked} me={me.uuid} onClose={close} />
    </>
  );
}
