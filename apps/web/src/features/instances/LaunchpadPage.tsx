import "../../en/launchpad.ts";
import "../../en/apps.ts";
import { Box, Button } from "@mui/material";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { Instance } from "@terrarium/contract";
import PackagePlus from "lucide-react/icons/package-plus";
import { lazy, Suspense, useEffect, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { FileDrop } from "../../components/FileDrop.tsx";
import { fetchCode } from "../../components/fetch-code.ts";
import { Icon } from "../../components/Icon.tsx";
import { ListView } from "../../components/list/ListView.tsx";
import { useList } from "../../components/list/use-list.ts";
import { PageHeader } from "../../components/PageHeader.tsx";
import { UsageMeter } from "../../components/UsageMeter.tsx";
import { OpenDialog, useDialog } from "../../components/use-dialog.tsx";
import { whenIdle } from "../../components/when-idle.ts";
import { unopenedInvitation } from "../../session/unopened-invitation.ts";
import { useMe } from "../../session/user.ts";
import { pickApp } from "../../shared/apps/app-file.ts";
import { instanceCounts } from "../../shared/instance-counts.ts";
import { LaunchpadTabs } from "../../shared/LaunchpadTabs.tsx";
import { organizationOf } from "../../shared/organizations.queries.ts";
import { DeviceShelf } from "../recipes/DeviceShelf.tsx";
import { rememberRecipe } from "../recipes/recent-recipes.ts";
import { recipeList } from "../recipes/recipes.queries.ts";
import { fetchStartForm, StartDialog } from "../recipes/StartDialog.tsx";
import { ColleagueDialog } from "./ColleagueDialog.tsx";
import { DeviceWall } from "./DeviceWall.tsx";
import { deviceList, isShelf } from "./device-list.tsx";
import { dismissDevices, stopDevices } from "../../shared/instances.queries.ts";
import { sideBySideAddress } from "../../shared/side-by-side.ts";
import { StopDialog } from "../../shared/StopDialog.tsx";
import { SaveDialog } from "./SaveDialog.tsx";
import { hideStopReminder, StopReminder } from "./StopReminder.tsx";
import { useGrowth } from "./use-growth.ts";

const SignedInAlready = lazy(() => fetchCode(() => import("../invitations/SignedInAlready.tsx")));
const InstallDialog = lazy(() => fetchCode(() => import("../recipes/InstallDialog.tsx")));

type Asked =
  | { what: "install"; files: readonly File[] }
  | { what: "start" }
  | { what: "stop"; devices: readonly Instance[] }
  | { what: "colleague" | "reminder" | "save"; device: Instance };

/** One's devices, live: what runs, and what can be done with it. */
export default function LaunchpadPage() {
  const { t } = useTranslation();
  const me = useMe();
  const navigate = useNavigate();
  const { asked, ask: setAsked, close } = useDialog<Asked>();
  const unopened = useSyncExternalStore(unopenedInvitation.subscribe, unopenedInvitation.current);
  const { mutate: stop } = useMutation(stopDevices);
  const { mutate: dismiss } = useMutation(dismissDevices);
  const { data: organization } = useQuery({ ...organizationOf(me), refetchOnMount: "always" });
  useQuery(instanceCounts);
  useEffect(() => whenIdle(() => void fetchStartForm()), []);
  useEffect(() => whenIdle(() => void import("../display/DisplayPage.tsx").catch(() => undefined)), []);
  const list = useList(deviceList, {
    t,
    me,
    stop: (devices) => setAsked({ what: "stop", devices }),
    dismiss,
    compare: (devices) => {
      void navigate(sideBySideAddress(devices.map(({ uuid }) => uuid)));
    },
    save: (device) => setAsked({ what: "save", device }),
    open: (device) => {
      if (device.owner.uuid === me.uuid) void navigate(`/instance/${device.uuid}`);
      else setAsked({ what: "colleague", device });
    },
  });
  // A guest may have nothing to start; the shelf says why.
  const { data: forGuest } = useQuery({ ...recipeList({ page_size: 1 }), enabled: me.role === "guest" });
  const hasRecipes = me.role !== "guest" || (forGuest?.count ?? 0) > 0;
  const started = async (device: Instance, all: readonly Instance[] = [device]) => {
    setAsked(me.role === "guest" && !hideStopReminder.read() ? { what: "reminder", device } : undefined);
    if (device.recipe) rememberRecipe(device.recipe.uuid);
    list.markFresh(all.map(({ uuid }) => uuid));
    list.go({ page: 1 });
    await list.refresh();
  };
  const grow = useGrowth(list.rows?.map(({ uuid }) => uuid) ?? []);
  /** Started on the shelf, it is there that it comes alive. */
  const startedHere = (device: Instance) =>
    grow(device.uuid, () => {
      list.setFilter("view", "shelf");
      return started(device);
    });
  const install = (files: readonly File[]) => setAsked({ what: "install", files });
  const stopNow = (devices: readonly Instance[]) => {
    close();
    list.select(new Set());
    stop(devices);
  };

  return (
    <>
      <FileDrop title={t("apps.drop.title")} help={t("apps.drop.help")} onFiles={install} />
      <Header onInstall={() => pickApp(install)} onStart={hasRecipes ? () => setAsked({ what: "start" }) : undefined} />
      <ListView
        state={list}
        view={isShelf(list.address.filters) ? <DeviceWall state={list} /> : undefined}
        empty={<DeviceShelf me={me} organization={organization} onStarted={startedHere} />}
      />
      {unopened !== undefined && (
        <Suspense>
          <SignedInAlready address={unopened} onClose={() => unopenedInvitation.note(undefined)} />
        </Suspense>
      )}
      <OpenDialog
        asked={asked}
        dialogs={{
          stop: ({ devices }) => <StopDialog instances={devices} onClose={close} onConfirm={() => stopNow(devices)} />,
          colleague: ({ device }) => (
            <ColleagueDialog device={device} onClose={close} onStop={() => stopNow([device])} />
          ),
          save: ({ device }) => (
            <SaveDialog
              device={list.rows?.find(({ uuid }) => uuid === device.uuid) ?? device}
              me={me}
              onClose={close}
            />
          ),
          install: ({ files }) => (
            <Suspense>
              <InstallDialog
                files={files}
                me={me}
                organization={organization}
                onClose={close}
                onInstalled={({ uuid }) => void navigate(`/instance/${uuid}`)}
              />
            </Suspense>
          ),
          reminder: ({ device }) => <StopReminder instance={device} onClose={close} />,
          start: () => (
            <StartDialog
              me={me}
              organization={organization}
              onClose={close}
              onStarted={(device, all) => void started(device, all)}
            />
          ),
        }}
      />
    </>
  );
}

/** The title, how much of whose limit is in use, and the way to one more device. */
function Header({ onInstall, onStart }: { onInstall: () => void; onStart: (() => void) | undefined }) {
  const { t } = useTranslation();
  const { data: organization } = useQuery(organizationOf(useMe()));
  const used = organization?.running_instances ?? 0;
  const max = organization?.license.instances.max ?? 0;
  return (
    <>
      <PageHeader title={t("launchpad.title")} action={onStart && { label: t("launchpad.start"), run: onStart }}>
        <Button onClick={onInstall} aria-label={t("apps.install")}>
          <Icon glyph={PackagePlus} />
          <Box component="span" sx={{ display: { xs: "none", sm: "inline" } }}>
            {t("apps.install")}
          </Box>
        </Button>
        {organization && (
          <UsageMeter
            used={used}
            max={max}
            label={t("launchpad.running", { used, max, organization: organization.name })}
          />
        )}
      </PageHeader>
      <LaunchpadTabs value="devices" />
    </>
  );
}
