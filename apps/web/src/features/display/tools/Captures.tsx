import { Box, Button, Typography } from "@mui/material";
import { useMutation, useQuery } from "@tanstack/react-query";
import ArrowDownToLine from "lucide-react/icons/arrow-down-to-line";
import Trash from "lucide-react/icons/trash-2";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { Icon } from "../../../components/Icon.tsx";
import { PickList } from "../../../components/PickList.tsx";
import { RelativeTime } from "../../../components/RelativeTime.tsx";
import { sizeText } from "../../../components/size-text.ts";
import { ToolButton } from "../../../components/ToolButton.tsx";
import { useDialog } from "../../../components/use-dialog.tsx";
import { routeRules } from "../../../session/routes.ts";
import { captureGlyphs, captureName } from "../../../shared/captures/capture-look.ts";
import { type AskedCapture, CaptureDialogs } from "../../../shared/captures/CaptureDialogs.tsx";
import { capturePage, saveCapture } from "../../../shared/captures/captures.queries.ts";
import { lengthText } from "../../../shared/length-text.ts";
import { foot, footWords, note } from "./tool-styles.ts";
import type { ToolDevice } from "./use-tool.ts";

/** What is shown beside a device; the page of all captures has the rest. */
const SHOWN = 200;

/** The screenshots and recordings of a device. */
export default function Captures({ device }: { device: ToolDevice }) {
  const { t } = useTranslation();
  const [picked, setPicked] = useState<string>();
  const { asked, ask, close } = useDialog<AskedCapture>();
  const { mutate: save } = useMutation(saveCapture);
  const { data, error, refetch } = useQuery(capturePage({ instance: device.uuid, page_size: SHOWN }));
  const rows = data?.results ?? [];
  const capture = rows.find(({ uuid }) => uuid === picked);
  return (
    <>
      {!data && !error && (
        <Typography component="output" sx={note}>
          {t("captures.side.loading")}
        </Typography>
      )}
      {error && (
        <Box role="alert" sx={note}>
          <Typography>{t("errors.fetchCaptures")}</Typography>
          <Button size="small" onClick={() => void refetch()} sx={{ mt: 2 }}>
            {t("common.tryAgain")}
          </Button>
        </Box>
      )}
      {data && rows.length === 0 && <Typography sx={note}>{t("captures.empty.help")}</Typography>}
      <PickList
        label={t("captures.side.label", { name: device.name })}
        rows={rows}
        keyOf={({ uuid }) => uuid}
        picked={picked}
        onPick={({ uuid }) => setPicked(uuid)}
        onOpen={(each) => ask({ what: "show", capture: each })}
        onKey={(key, chosen) => key === "Delete" && chosen && ask({ what: "remove", capture: chosen })}
      >
        {({ kind, created_at: time, duration_ms: ms, bytes }) => (
          <>
            <Icon glyph={captureGlyphs[kind]} />
            <Typography variant="body2" noWrap sx={{ flex: 1, minWidth: 0 }}>
              {t(`captures.kind.${kind}`)} · <RelativeTime time={time} />
            </Typography>
            <Typography variant="caption" sx={small}>
              {ms === null ? "" : lengthText(ms)}
            </Typography>
            <Typography variant="caption" sx={small}>
              {sizeText(bytes)}
            </Typography>
          </>
        )}
      </PickList>
      <Box sx={foot}>
        <Typography variant="caption" noWrap sx={footWords}>
          {data && data.count > rows.length
            ? t("captures.side.cut", { shown: rows.length, count: data.count })
            : t("captures.side.count", { count: rows.length })}
        </Typography>
        {capture ? (
          <>
            <Button size="small" onClick={() => ask({ what: "show", capture })}>
              {t("captures.short.show")}
            </Button>
            <Button size="small" startIcon={<Icon glyph={ArrowDownToLine} />} onClick={() => save(capture)}>
              {t("captures.short.save")}
            </Button>
            <ToolButton
              label={t("captures.remove", { name: captureName(capture, t) })}
              glyph={Trash}
              onClick={() => ask({ what: "remove", capture })}
            />
          </>
        ) : (
          <Button size="small" variant="text" component={Link} to={routeRules.captures.path}>
            {t("captures.side.all")}
          </Button>
        )}
      </Box>
      <CaptureDialogs asked={asked} onClose={close} />
    </>
  );
}

const small = { color: "text.tertiary", flex: "none" };
