import { Box, Button, LinearProgress, Typography } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import ArrowDownToLine from "lucide-react/icons/arrow-down-to-line";
import ArrowUp from "lucide-react/icons/arrow-up";
import FileIcon from "lucide-react/icons/file";
import Folder from "lucide-react/icons/folder";
import FolderSymlink from "lucide-react/icons/folder-symlink";
import RefreshCw from "lucide-react/icons/refresh-cw";
import Trash from "lucide-react/icons/trash-2";
import Upload from "lucide-react/icons/upload";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { ConfirmDialog } from "../../../components/ConfirmDialog.tsx";
import { Icon } from "../../../components/Icon.tsx";
import { PickList } from "../../../components/PickList.tsx";
import { saveFile } from "../../../components/save-file.ts";
import { sizeText } from "../../../components/size-text.ts";
import { snack } from "../../../components/snack-queue.ts";
import { ToolButton } from "../../../components/ToolButton.tsx";
import { FIRST_FOLDER, foldersTo, pathIn } from "./device-paths.ts";
import { downloadFile } from "./download-file.ts";
import { foot, footWords, note } from "./tool-styles.ts";
import { ToolFailure } from "./tool-socket.ts";
import { sayTrouble, ToolNotice } from "./ToolNotice.tsx";
import { connectionOf, type ToolDevice, useTool } from "./use-tool.ts";

interface Entry {
  name: string;
  kind: "folder" | "file" | "link";
  size: number;
  /** Seconds since 1970. */
  mtime: number;
}

interface Props {
  device: ToolDevice;
  /** Brings files into a folder of the device. */
  onUpload: (files: readonly File[], folder: string) => void;
  /** Changes when a file has arrived. */
  arrived: number;
}

const glyphs = { folder: Folder, file: FileIcon, link: FolderSymlink };

/** The files of a device. Which folder is shown is in the address. */
export default function Files({ device, onUpload, arrived }: Props) {
  const { t } = useTranslation();
  const { socket, state } = useTool(device, { tool: "files" });
  const [address, setAddress] = useSearchParams();
  const path = address.get("path") ?? FIRST_FOLDER;
  const [picked, setPicked] = useState<string>();
  const [doomed, setDoomed] = useState<Entry>();
  const chooser = useRef<HTMLInputElement>(null);
  const { download, start, cancel } = useDownload(device);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ["tools", device.uuid, "files", path],
    queryFn: () => socket.ask<{ entries: Entry[]; count: number }>("list", { path }),
    enabled: state.phase === "open",
    retry: false,
  });
  const isOpen = state.phase === "open";
  useEffect(() => {
    if (isOpen && arrived > 0) void refetch();
  }, [isOpen, arrived, refetch]);

  const entries = data?.entries ?? [];
  const entry = entries.find(({ name }) => name === picked);
  const go = (to: string) => {
    setPicked(undefined);
    const others = [...address].filter(([name]) => name !== "path");
    setAddress(new URLSearchParams([...others, ["path", to]]), { preventScrollReset: true });
  };
  const folders = foldersTo(path);
  const parent = folders.at(-2)?.path;
  const open = ({ name, kind, size }: Entry) => {
    if (kind !== "file") go(pathIn(path, name));
    else start(pathIn(path, name), name, size);
  };
  const remove = ({ name }: Entry) => {
    setDoomed(undefined);
    socket
      .ask("delete", { path: pathIn(path, name) })
      .then(
        () => snack("success", t("tools.files.deleted", { name })),
        (reason: unknown) => snack("error", sayTrouble(t, reason)),
      )
      .finally(() => void refetch());
  };
  return (
    <>
      <Box sx={bar}>
        <ToolButton
          label={t("tools.files.up")}
          glyph={ArrowUp}
          isOff={parent === undefined}
          onClick={() => parent && go(parent)}
        />
        <Box component="nav" aria-label={t("tools.files.path")} sx={crumbs}>
          {folders.map((each, at) => (
            <Button
              key={each.path}
              variant="text"
              size="small"
              onClick={() => go(each.path)}
              aria-current={at === folders.length - 1 ? "page" : undefined}
              sx={{ minWidth: 0, px: "6px", flex: "none", typography: "mono" }}
            >
              {each.name}
            </Button>
          ))}
        </Box>
        <ToolButton
          label={t("tools.files.refresh")}
          glyph={RefreshCw}
          isOff={!isOpen || isFetching}
          onClick={() => void refetch()}
        />
        <ToolButton
          label={t("tools.files.upload")}
          glyph={Upload}
          isOff={!isOpen}
          onClick={() => chooser.current?.click()}
        />
        <input
          ref={chooser}
          type="file"
          multiple
          hidden
          aria-label={t("tools.files.upload")}
          onChange={({ target }) => {
            onUpload(Array.from(target.files ?? []), path);
            target.value = "";
          }}
        />
      </Box>
      <ToolNotice state={state} onAgain={() => socket.start()} />
      {error && isOpen ? (
        <Trouble error={error} onDownload={() => start(path, folders.at(-1)?.name ?? "", undefined)} />
      ) : (
        data && entries.length === 0 && <Typography sx={note}>{t("tools.files.empty")}</Typography>
      )}
      <PickList
        label={t("tools.files.label", { path })}
        rows={error ? [] : entries}
        keyOf={({ name }) => name}
        picked={picked}
        onPick={({ name }) => setPicked(name)}
        onOpen={open}
        onKey={(key, chosen) => {
          if (key === "Backspace" && parent) go(parent);
          if (key === "Delete" && chosen) setDoomed(chosen);
        }}
      >
        {({ name, kind, size, mtime }) => (
          <>
            <Icon glyph={glyphs[kind]} />
            <Typography variant="body2" noWrap title={name} sx={{ flex: 1, minWidth: 0 }}>
              {name}
            </Typography>
            <Typography variant="caption" sx={{ color: "text.tertiary", flex: "none" }}>
              {kind === "file" ? sizeText(size) : ""}
            </Typography>
            <Typography
              variant="caption"
              sx={{ color: "text.tertiary", flex: "none", display: { xs: "none", sm: "block" } }}
            >
              {new Date(mtime * 1_000).toISOString().slice(0, 16).replace("T", " ")}
            </Typography>
          </>
        )}
      </PickList>
      {download && (
        <Box sx={foot}>
          <Typography variant="body2" noWrap sx={{ flex: 1, minWidth: 0 }}>
            {t("tools.files.downloading", { name: download.name })}
          </Typography>
          <Button size="small" onClick={cancel}>
            {t("common.cancel")}
          </Button>
          <LinearProgress
            aria-label={t("tools.files.progress", { name: download.name })}
            sx={{ flexBasis: "100%" }}
            {...(download.size
              ? { variant: "determinate", value: Math.min(100, (100 * download.received) / download.size) }
              : {})}
          />
        </Box>
      )}
      <Box sx={foot}>
        <Typography variant="caption" noWrap sx={footWords}>
          {data && data.count > entries.length
            ? t("tools.files.cut", { shown: entries.length, count: data.count })
            : (entry?.name ?? t("tools.files.count", { count: entries.length }))}
        </Typography>
        {entry && (
          <>
            <Button
              size="small"
              onClick={() => open(entry)}
              startIcon={entry.kind === "file" ? <Icon glyph={ArrowDownToLine} /> : undefined}
            >
              {t(entry.kind === "file" ? "tools.files.download" : "tools.files.open")}
            </Button>
            <ToolButton
              label={t("tools.files.delete", { name: entry.name })}
              glyph={Trash}
              onClick={() => setDoomed(entry)}
            />
          </>
        )}
      </Box>
      {doomed && (
        <ConfirmDialog
          title={t("tools.files.deleteTitle", { name: doomed.name })}
          confirm={t("tools.files.deleteNow")}
          isDestructive
          onClose={() => setDoomed(undefined)}
          onConfirm={() => remove(doomed)}
        >
          {t(doomed.kind === "folder" ? "tools.files.deleteFolder" : "tools.files.deleteFile")}
        </ConfirmDialog>
      )}
    </>
  );
}

/** Why a folder cannot be shown. A link may lead to a file. */
function Trouble({ error, onDownload }: { error: Error; onDownload: () => void }) {
  const { t } = useTranslation();
  const isFile = error instanceof ToolFailure && error.code === "notFolder";
  return (
    <Box role="alert" sx={note}>
      <Typography>{sayTrouble(t, error)}</Typography>
      {isFile && (
        <Button size="small" onClick={onDownload} sx={{ mt: 2 }}>
          {t("tools.files.download")}
        </Button>
      )}
    </Box>
  );
}

/** One download at a time; leaving ends it. */
function useDownload(device: ToolDevice) {
  const { t } = useTranslation();
  const [download, setDownload] = useState<{ name: string; received: number; size: number | undefined }>();
  const current = useRef<AbortController>(undefined);
  useEffect(() => () => current.current?.abort(new Error("left")), []);
  const start = (path: string, name: string, size: number | undefined) => {
    current.current?.abort(new Error("another one"));
    const abort = new AbortController();
    current.current = abort;
    setDownload({ name, received: 0, size });
    downloadFile({
      ...connectionOf(device),
      path,
      signal: abort.signal,
      onProgress: (received) => setDownload({ name, received, size }),
    })
      .then(
        (content) => saveFile(content, name),
        (error: unknown) => abort.signal.aborted || snack("error", sayTrouble(t, error)),
      )
      .finally(() => current.current === abort && setDownload(undefined));
  };
  const cancel = () => {
    current.current?.abort(new Error("cancelled"));
    setDownload(undefined);
  };
  return { download, start, cancel };
}

const bar = { display: "flex", alignItems: "center", gap: "4px", flex: "none", padding: "6px 8px", minWidth: 0 };
const crumbs = { display: "flex", flex: 1, minWidth: 0, overflowX: "auto", scrollbarWidth: "none" };
