import { Box } from "@mui/material";
import type { Instance } from "@terrarium/contract";
import { fakePlayer } from "@terrarium/sdk/display/testing";
import { anId, anInstance } from "../../../testing/factories.ts";
import { LoadingDisplay } from "../DisplayPage.tsx";
import { DisplayHeader } from "../DisplayHeader.tsx";
import { ColleagueDisplay, EndingDisplay, RefusedDisplay } from "../DisplayNotice.tsx";
import { OnlineDisplay } from "../OnlineDisplay.tsx";
import { StartingDisplay } from "../StartingDisplay.tsx";

const whole = (children: React.ReactNode, instance?: Instance) => (
  <Box sx={{ display: "flex", flexDirection: "column", height: "100dvh" }}>
    <DisplayHeader instance={instance} onStop={instance && (() => undefined)} />
    {children}
  </Box>
);

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const starting = (state: Instance["state"]) => {
  const instance = anInstance({ state });
  return whole(<StartingDisplay instance={instance} />, instance);
};
const online = (instance: Instance) =>
  whole(
    <OnlineDisplay instance={instance} openPlayer={fakePlayer({ size: pictureOf(instance) }).openPlayer} />,
    instance,
  );
/** Small enough to be painted quickly, in the proportions of the device. */
const pictureOf = ({ hardware_profile: { width, height } }: Instance) => {
  const scale = 320 / Math.max(width, height);
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
};

const ending = (instance: Instance) => whole(<EndingDisplay instance={instance} />, instance);

/** The states of the page. */
export const displayStates = {
  loading: whole(<LoadingDisplay />),
  creating: starting("CREATING"),
  starting: starting("STARTING"),
  booting: starting("BOOTING"),
  phone: online(anInstance({ stops_at: inMinutes(24.5), hardware: { width: 720, height: 1280 } })),
  tablet: online(anInstance({ stops_at: inMinutes(4), hardware: { form_factor: "TABLET", width: 1280, height: 800 } })),
  watch: online(anInstance({ stops_at: inMinutes(0.5), hardware: { form_factor: "WATCH", width: 400, height: 400 } })),
  saving: ending(
    anInstance({ state: "SAVING", save: { action: "save_as", recipe_uuid: anId(), progress: 42, error: null } }),
  ),
  stopping: ending(anInstance({ state: "STOPPING" })),
  tv: online(anInstance({ stops_at: inMinutes(90), hardware: { form_factor: "TV", width: 1920, height: 1080 } })),
  notRunning: whole(<RefusedDisplay refusal="notRunning" onStartAgain={() => undefined} />),
  colleagues: whole(
    <ColleagueDisplay owner={anInstance().owner} mail="mailto:someone@demo.test" onStop={() => undefined} />,
  ),
  notAllowed: whole(<RefusedDisplay refusal="notAllowed" />),
  notFound: whole(<RefusedDisplay refusal="notFound" />),
  invalid: whole(<RefusedDisplay refusal="invalid" />),
  other: whole(<RefusedDisplay refusal="other" onRetry={() => undefined} />),
} as const;
