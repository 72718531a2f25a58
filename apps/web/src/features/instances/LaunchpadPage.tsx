import "../../en/launchpad.ts";
import { Box, Button, Tab, Tabs, Typography, useMediaQuery } from "@mui/material";
import { type Instance, launchpadPageSizes } from "@terrarium/contract";
import { useQuery } from "@tanstack/react-query";
import Plus from "lucide-react/icons/plus";
import { lazy, Suspense, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { fetchCode } from "../../components/fetch-code.ts";
import { useMe } from "../../session/user.ts";
import { Icon } from "../../components/Icon.tsx";
import { KeysDialog } from "../../components/KeysDialog.tsx";
import { Pager } from "../../components/Pager.tsx";
import { UsageMeter } from "../../components/UsageMeter.tsx";
import { useShortcuts } from "../../components/use-shortcuts.ts";
import { organizationOf } from "../../shared/organizations.queries.ts";
import { BulkBar } from "./BulkBar.tsx";
import { ColumnsDialog } from "./ColumnsDialog.tsx";
import { DeviceList } from "./DeviceList.tsx";
import { LaunchpadToolbar } from "./LaunchpadToolbar.tsx";
import { StopDialog } from "./StopDialog.tsx";
import { hideStopReminder, StopReminder } from "./StopReminder.tsx";
import { useDeviceActs } from "./use-device-acts.ts";
import { useDeviceList } from "./use-device-list.ts";
import { useFreshRows } from "./use-fresh-rows.ts";

const StartDialog = lazy(() => fetchCode(() => import("../recipes/StartDialog.tsx")));

/** One's devices, live: what runs, and what can be done with it. */
export default function LaunchpadPage() {
  const { t } = useTranslation();
  const me = useMe();
  const isPhone = useMediaQuery((theme) => theme.breakpoints.down("sm"));
  const list = useDeviceList();
  const { fresh, markFresh, markNewOf } = useFreshRows(list.rows);
  const { data: organization } = useQuery({ ...organizationOf(me), refetchOnMount: "always" });
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [reminded, setReminded] = useState<Instance>();
  const [asked, setAsked] = useState<"start" | "columns" | "keys">();
  const acts = useDeviceActs({ refresh: list.refresh });
  const searchRef = useRef<HTMLInputElement>(null);
  const close = () => setAsked(undefined);
  const chosen = (list.rows ?? []).filter(({ uuid }) => selected.has(uuid));

  /** What is chosen is always in sight: another page, order or filter starts with nothing chosen. */
  const anew =
    <Value,>(go: (value: Value) => void) =>
    (value: Value) => {
      setSelected(new Set());
      go(value);
    };

  useShortcuts(
    useMemo(
      () => ({
        "/": () => searchRef.current?.focus(),
        "?": () => setAsked("keys"),
        Escape: () => setSelected(new Set()),
      }),
      [],
    ),
  );

  const started = async (instance: Instance) => {
    close();
    if (me.role === "guest" && !hideStopReminder.read()) setReminded(instance);
    markFresh(instance.uuid);
    list.setPage(1);
    await list.refresh();
  };

  return (
    <>
      <Box sx={{ display: "flex", alignItems: "center", gap: 3, minHeight: 32 }}>
        <Typography variant="h1" sx={{ flex: 1 }}>
          {t("launchpad.title")}
        </Typography>
        {organization && (
          <UsageMeter
            used={organization.running_instances}
            max={organization.license.instances.max}
            label={t("launchpad.running", {
              used: organization.running_instances,
              max: organization.license.instances.max,
            })}
          />
        )}
        <Button variant="contained" color="primary" onClick={() => setAsked("start")} sx={isPhone ? floating : {}}>
          <Icon glyph={Plus} />
          {t("launchpad.start")}
        </Button>
      </Box>
      <Tabs value="devices" sx={{ borderBottom: 1, borderColor: "divider", mt: { xs: 1, sm: 3 }, flex: "none" }}>
        <Tab value="devices" label={t("launchpad.tabs.devices")} />
      </Tabs>
      <LaunchpadToolbar
        search={list.search}
        onSearch={anew(list.setSearch)}
        searchRef={searchRef}
        isManager={me.role === "manager"}
        isWide={list.isWide}
        onWide={anew((organizationWide) => {
          list.saveSettings({ ...list.settings, organizationWide });
          list.setPage(1);
        })}
        newCount={list.newCount}
        isRefreshing={list.isFetching}
        onRefresh={() => void markNewOf(list.refresh)}
        onColumns={isPhone ? undefined : () => setAsked("columns")}
      />
      <DeviceList
        list={list}
        isPhone={isPhone}
        fresh={fresh}
        selected={selected}
        onSelect={setSelected}
        onAct={acts.ask}
        onStart={() => setAsked("start")}
      />
      {list.count > 0 && (
        <Pager
          page={list.page}
          pageSize={list.pageSize}
          count={list.count}
          pageSizes={launchpadPageSizes}
          onPage={anew(list.setPage)}
          onPageSize={anew(list.setPageSize)}
        />
      )}
      <BulkBar instances={chosen} onStop={acts.askToStop} onClear={() => setSelected(new Set())} />
      <StopDialog
        instances={acts.asked}
        onClose={acts.forget}
        onConfirm={() => {
          setSelected(new Set());
          void acts.stopAsked();
        }}
      />
      {asked === "columns" && (
        <ColumnsDialog
          settings={list.settings}
          isManager={me.role === "manager"}
          onClose={close}
          onApply={(settings) => {
            list.saveSettings(settings);
            close();
          }}
        />
      )}
      <KeysDialog
        isOpen={asked === "keys"}
        onClose={close}
        keys={[
          ["/", t("common.keys.search")],
          ["?", t("common.keys.help")],
          ["Enter", t("common.keys.enter")],
          ["Esc", t("common.keys.escape")],
        ]}
      />
      {reminded && <StopReminder instance={reminded} onClose={() => setReminded(undefined)} />}
      {asked === "start" && (
        <Suspense fallback={null}>
          <StartDialog
            me={me}
            organization={organization}
            onClose={close}
            onStarted={(instance) => void started(instance)}
          />
        </Suspense>
      )}
    </>
  );
}

const floating = {
  position: "fixed",
  right: 16,
  bottom: 16,
  zIndex: "fab",
  height: 48,
  px: 4.5,
  borderRadius: "12px",
  boxShadow: "var(--depth-3)",
};
