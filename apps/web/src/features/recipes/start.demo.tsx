import { anOrganization, guest, manager, user } from "../../testing/factories.ts";
import { LimitDialog } from "./LimitDialog.tsx";
import { StartDialog } from "./StartDialog.tsx";

const nothing = () => undefined;
const limit = { code: "TOO_MANY_RUNNING_VDS", recipe: "Phone 6.1 in, Android 15", onClose: nothing };

/** Starting a device, in the states worth seeing. */
export const demos = {
  dialog: <StartDialog me={manager} organization={anOrganization()} onClose={nothing} onStarted={nothing} />,
  guest: <StartDialog me={guest} organization={undefined} onClose={nothing} onStarted={nothing} />,
  limitOfManager: <LimitDialog {...limit} role={manager.role} organization={anOrganization(10)} />,
  limitOfUser: <LimitDialog {...limit} role={user.role} organization={anOrganization(10)} />,
  limitOfGuest: <LimitDialog {...limit} role={guest.role} organization={undefined} />,
};
