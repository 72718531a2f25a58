import { AppDialog } from "../../components/AppDialog.tsx";
import { anInstance, anOrganization, aRecipe, guest, manager, user } from "../../testing/factories.ts";
import { LimitDialog } from "./LimitDialog.tsx";
import { StartDialog } from "./StartDialog.tsx";
import { StartSeveral } from "./StartSeveral.tsx";
import type { Attempt } from "./use-start-several.ts";

const nothing = () => undefined;
const limit = {
  code: "TOO_MANY_RUNNING_VDS",
  recipe: "Phone 6.1 in, Android 15",
  onClose: nothing,
  onRetry: nothing,
};
const pending = anOrganization(2, 2);
pending.license.type = "pending";

const recipe = aRecipe({ name: "Phone 6.1 in, Android 15" });
const attempts: Attempt[] = [
  { name: "smoke-1", key: "1", state: "started", device: anInstance({ name: "smoke-1" }) },
  { name: "smoke-2", key: "2", state: "failed", code: "NO_SLOT_AVAILABLE" },
  { name: "smoke-3", key: "3", state: "starting" },
  { name: `a-name-as-long-as-they-may-be-${"x".repeat(220)}`, key: "4", state: "waiting" },
  { name: "smoke-5", key: "5", state: "skipped" },
];
const several = (isRunning: boolean) => (
  <AppDialog isLarge title="Start a device" width={912} height={672} onClose={nothing}>
    <StartSeveral
      me={manager}
      organization={anOrganization()}
      starter={{
        several: { of: { recipe, idle: "automatic" }, attempts, isRunning, limit: undefined },
        start: nothing,
        stopTheRest: nothing,
        resume: nothing,
        forgetLimit: nothing,
      }}
      onDone={nothing}
    />
  </AppDialog>
);

/** Starting a device, in the states worth seeing. */
export const demos = {
  dialog: <StartDialog me={manager} organization={anOrganization()} onClose={nothing} onStarted={nothing} />,
  guest: <StartDialog me={guest} organization={undefined} onClose={nothing} onStarted={nothing} />,
  severalStarting: several(true),
  severalStopped: several(false),
  limitOfManager: <LimitDialog {...limit} me={manager} organization={anOrganization(10)} />,
  limitOfUser: <LimitDialog {...limit} me={user} organization={anOrganization(10)} />,
  limitOfGuest: <LimitDialog {...limit} me={guest} organization={undefined} />,
  trial: <LimitDialog {...limit} me={manager} organization={pending} />,
};
