import { Box, Button, Checkbox, FormControlLabel, Typography } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import Play from "lucide-react/icons/play";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../../components/ConfirmDialog.tsx";
import { Icon } from "../../../components/Icon.tsx";
import { PickList } from "../../../components/PickList.tsx";
import { SearchField } from "../../../components/SearchField.tsx";
import { snack } from "../../../components/snack-queue.ts";
import { controls, foot, footWords, note } from "./tool-styles.ts";
import { sayTrouble, ToolNotice } from "./ToolNotice.tsx";
import { type ToolDevice, useTool } from "./use-tool.ts";

interface App {
  /** Of its package. */
  name: string;
  isSystem: boolean;
}

type Act = "launch" | "clear" | "uninstall";

/** What is installed on a device. */
export default function Apps({ device }: { device: ToolDevice }) {
  const { t } = useTranslation();
  const { socket, state } = useTool(device, { tool: "apps" });
  const [search, setSearch] = useState("");
  const [withSystem, setWithSystem] = useState(false);
  const [picked, setPicked] = useState<string>();
  const [asked, setAsked] = useState<Exclude<Act, "launch">>();
  const isOpen = state.phase === "open";
  const queryOf = { enabled: isOpen, retry: false };
  const { data, error, refetch } = useQuery({
    ...queryOf,
    queryKey: ["tools", device.uuid, "apps"],
    queryFn: () => socket.ask<{ apps: App[] }>("list"),
  });
  // They take the device a while; until then, and where it does not know them, packages have to do.
  const names = useQuery({
    ...queryOf,
    queryKey: ["tools", device.uuid, "app-names"],
    queryFn: () => socket.ask<{ names: Record<string, string> }>("names"),
  });
  const labelOf = (name: string) => names.data?.names[name];
  const wanted = search.trim().toLowerCase();
  const apps = (data?.apps ?? [])
    .filter(({ isSystem }) => withSystem || !isSystem)
    .map((app) => ({ ...app, label: labelOf(app.name) }))
    .filter(({ name, label = "" }) => `${name} ${label}`.toLowerCase().includes(wanted))
    // First those that a launcher shows.
    .toSorted(
      (a, b) =>
        Number(a.label === undefined) - Number(b.label === undefined) ||
        (a.label ?? a.name).localeCompare(b.label ?? b.name),
    );
  const app = apps.find(({ name }) => name === picked);
  const called = app?.label ?? app?.name ?? "";
  const act = (what: Act, name: string, label: string) => {
    setAsked(undefined);
    socket.ask(what, { name }).then(
      () => {
        // What was opened is to be seen.
        if (what !== "launch") snack("success", t(`tools.apps.done.${what}`, { name: label }));
        if (what === "uninstall") void refetch();
      },
      (reason: unknown) =>
        snack("error", what === "launch" ? t("tools.apps.noLaunch", { name: label }) : sayTrouble(t, reason)),
    );
  };
  return (
    <>
      <Box sx={controls}>
        <SearchField label={t("tools.apps.search")} value={search} onChange={setSearch} sx={{ flex: 1, minWidth: 0 }} />
        <FormControlLabel
          label={t("tools.apps.system")}
          slotProps={{ typography: { variant: "body2" } }}
          control={<Checkbox size="small" checked={withSystem} onChange={(_, isOn) => setWithSystem(isOn)} />}
        />
      </Box>
      <ToolNotice state={state} onAgain={() => socket.start()} />
      {isOpen && error && (
        <Typography role="alert" sx={note}>
          {sayTrouble(t, error)}
        </Typography>
      )}
      {data && apps.length === 0 && (
        <Typography sx={note}>{t(wanted === "" ? "tools.apps.empty" : "tools.apps.nothing")}</Typography>
      )}
      <PickList
        label={t("tools.apps.label", { name: device.name })}
        rows={apps}
        keyOf={({ name }) => name}
        picked={picked}
        onPick={({ name }) => setPicked(name)}
        onOpen={({ name, label = name }) => act("launch", name, label)}
        onKey={(key, chosen) => key === "Delete" && chosen && !chosen.isSystem && setAsked("uninstall")}
      >
        {({ name, label }) => (
          <Box sx={{ minWidth: 0 }}>
            <Typography variant="body2" noWrap>
              {label ?? name}
            </Typography>
            {label && (
              <Typography variant="caption" component="p" noWrap sx={{ color: "text.tertiary" }}>
                {name}
              </Typography>
            )}
          </Box>
        )}
      </PickList>
      <Box sx={foot}>
        <Typography variant="caption" noWrap sx={footWords}>
          {app ? called : t("tools.apps.count", { count: apps.length })}
        </Typography>
        {app && (
          <>
            {(app.label !== undefined || !names.data) && (
              <Button size="small" startIcon={<Icon glyph={Play} />} onClick={() => act("launch", app.name, called)}>
                {t("tools.apps.launch")}
              </Button>
            )}
            <Button size="small" onClick={() => setAsked("clear")}>
              {t("tools.apps.clear")}
            </Button>
            {!app.isSystem && (
              <Button size="small" onClick={() => setAsked("uninstall")}>
                {t("tools.apps.uninstall")}
              </Button>
            )}
          </>
        )}
      </Box>
      {asked && app && (
        <ConfirmDialog
          title={t(`tools.apps.asked.${asked}`, { name: called })}
          confirm={t(`tools.apps.${asked}`)}
          isDestructive
          onClose={() => setAsked(undefined)}
          onConfirm={() => act(asked, app.name, called)}
        >
          {t(`tools.apps.means.${asked}`)}
        </ConfirmDialog>
      )}
    </>
  );
}
