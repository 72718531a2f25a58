import type { Instance } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { ListView } from "../../components/list/ListView.tsx";
import { useList } from "../../components/list/use-list.ts";
import { MeContext, useMe } from "../../session/user.ts";
import { anId, anInstance, manager, managerId, organizationId } from "../../testing/factories.ts";
import { ColleagueDialog } from "./ColleagueDialog.tsx";
import { deviceList } from "./device-list.tsx";
import { SaveDialog } from "./SaveDialog.tsx";
import { StopDialog } from "../../shared/StopDialog.tsx";

const nothing = () => undefined;
const asManager = (children: React.ReactNode) => <MeContext.Provider value={manager}>{children}</MeContext.Provider>;
const others = { owner: { uuid: "x", email: "t@demo.test", first_name: "Tomasz", last_name: "Wójcik" } };
const devices: Instance[] = [
  anInstance({ name: "pr-4812-e2e", state: "CREATING" }),
  anInstance({ name: "payments-smoke-01" }),
  anInstance({
    name: "car-hvac-panel",
    state: "SAVING",
    save: { action: "update", recipe_uuid: anId(), progress: 42, error: null },
  }),
  anInstance({ name: "tablet-layout-check", ...others }),
  anInstance({ name: "tv-remote-nav", state: "ERROR" }),
  anInstance({ name: `a-name-as-long-as-they-may-be-${"x".repeat(220)}` }),
];
const list = {
  ...deviceList,
  query: () => ({ queryKey: ["demo"], queryFn: async () => ({ count: devices.length, results: devices }) }),
};

function Devices() {
  const { t } = useTranslation();
  const context = { t, me: useMe(), stop: nothing, dismiss: nothing, save: nothing, open: nothing, compare: nothing };
  return <ListView state={useList(list, context)} empty={null} />;
}

const mine = {
  uuid: managerId,
  email: "manager@demo.test",
  first_name: "Mara",
  last_name: "Lindqvist",
  organization: { uuid: organizationId },
};
const ofMine = anInstance({ name: "payments-smoke-01" });
if (ofMine.recipe) Object.assign(ofMine.recipe, { source: "CUSTOM", owner: mine, name: "Payments phone" });

/** The parts of the launchpad in the states worth seeing. */
export const demos = {
  devices: asManager(<Devices />),
  stopOne: <StopDialog instances={devices.slice(0, 1)} onClose={nothing} onConfirm={nothing} />,
  stopMany: <StopDialog instances={devices} onClose={nothing} onConfirm={nothing} />,
  saveOwn: <SaveDialog device={ofMine} me={manager} onClose={nothing} />,
  saveAs: <SaveDialog device={anInstance({ name: "payments-smoke-01" })} me={manager} onClose={nothing} />,
  saveNot: <SaveDialog device={anInstance({ can_save: false })} me={manager} onClose={nothing} />,
  colleague: asManager(
    devices
      .slice(3, 4)
      .map((device) => <ColleagueDialog key={device.uuid} device={device} onClose={nothing} onStop={nothing} />),
  ),
};
