import { anOrganization, aRecipe, guest, manager, user } from "../../testing/factories.ts";
import { LimitDialog } from "./LimitDialog.tsx";
import StartDialog from "./StartDialog.tsx";
import { StartSummary } from "./StartSummary.tsx";

const nothing = () => undefined;
const limit = { code: "TOO_MANY_RUNNING_VDS", recipe: "Phone 6.1 in, Android 15", onClose: nothing };
const summary = {
  organization: anOrganization(),
  nameError: undefined,
  onName: nothing,
  onIdle: nothing,
  idle: 0,
} as const;

/** Starting a device, in the states worth seeing. */
export const demos = {
  dialog: <StartDialog me={manager} organization={anOrganization()} onClose={nothing} onStarted={nothing} />,
  guest: <StartDialog me={guest} organization={undefined} onClose={nothing} onStarted={nothing} />,
  summary: <StartSummary {...summary} recipe={aRecipe()} name="one" />,
  longName: <StartSummary {...summary} recipe={aRecipe()} name={"x".repeat(224)} />,
  broken: <StartSummary {...summary} recipe={aRecipe({ status: "UPDATING" })} name="one" />,
  nothingChosen: <StartSummary {...summary} recipe={undefined} name="" />,
  limitOfManager: <LimitDialog {...limit} role={manager.role} organization={anOrganization(10)} />,
  limitOfUser: <LimitDialog {...limit} role={user.role} organization={anOrganization(10)} />,
  limitOfGuest: <LimitDialog {...limit} role={guest.role} organization={undefined} />,
};
