import type { Instance } from "@terrarium/contract";
import { MeContext } from "../../session/user.ts";
import { anInstance, manager } from "../../testing/factories.ts";
import { BulkBar } from "./BulkBar.tsx";
import { ColumnsDialog } from "./ColumnsDialog.tsx";
import { defaultColumns } from "./column-ids.ts";
import { DeviceActions } from "./DeviceActions.tsx";
import { DeviceCards } from "./DeviceCards.tsx";
import { StopDialog } from "./StopDialog.tsx";

const nothing = () => undefined;
const asManager = (children: React.ReactNode) => <MeContext.Provider value={manager}>{children}</MeContext.Provider>;
const others = { owner: { uuid: "x", email: "t@demo.test", first_name: "Tomasz", last_name: "Wójcik" } };
const devices: Instance[] = [
  anInstance({ name: "pr-4812-e2e", state: "CREATING" }),
  anInstance({ name: "payments-smoke-01" }),
  anInstance({ name: "car-hvac-panel", state: "SAVING" }),
  anInstance({ name: "tablet-layout-check", ...others }),
  anInstance({ name: "tv-remote-nav", state: "ERROR" }),
  anInstance({ name: `a-name-as-long-as-they-may-be-${"x".repeat(220)}` }),
];

/** The parts of the launchpad in the states worth seeing. */
export const demos = {
  cards: asManager(<DeviceCards instances={devices} onAct={nothing} />),
  actions: asManager(devices.map((device) => <DeviceActions key={device.uuid} instance={device} onAct={nothing} />)),
  bulk: asManager(<BulkBar instances={devices.slice(0, 2)} onStop={nothing} onClear={nothing} />),
  stopOne: <StopDialog instances={devices.slice(0, 1)} onClose={nothing} onConfirm={nothing} />,
  stopMany: <StopDialog instances={devices} onClose={nothing} onConfirm={nothing} />,
  columns: (
    <ColumnsDialog
      settings={{ columns: [...defaultColumns], organizationWide: true }}
      isManager
      onApply={nothing}
      onClose={nothing}
    />
  ),
};
