import { instanceStates } from "@terrarium/contract";
import { DeviceDrawing } from "./DeviceDrawing.tsx";
import type { DrawnProfile } from "./drawing-layout.ts";
import { FormFactorTile, shapes } from "./FormFactorTile.tsx";
import { InstanceState } from "./InstanceState.tsx";
import { Arch, Stage } from "./Stage.tsx";

const regular = (
  form_factor: DrawnProfile["form_factor"],
  [width, height, density]: readonly [number, number, number],
  hw_navigation_keys = false,
): DrawnProfile => ({
  form_factor,
  display_mode: "REGULAR",
  display_settings: { displays: [{ width, height, density }], hw_navigation_keys },
});

const profiles: DrawnProfile[] = [
  regular("PHONE", [1080, 2400, 420]),
  regular("PHONE", [720, 1280, 320], true),
  regular("TABLET", [2560, 1600, 320]),
  regular("TABLET", [800, 1280, 213], true),
  regular("TV", [1920, 1080, 320], true),
  regular("WATCH", [454, 454, 320], true),
  regular("WATCH", [320, 384, 320]),
  regular("CAR", [1920, 720, 160]),
  {
    form_factor: "PHONE",
    display_mode: "FOLDABLE",
    display_settings: {
      displays: [
        { width: 2208, height: 1840, density: 420 },
        { width: 1080, height: 2092, density: 420 },
      ],
      hw_navigation_keys: false,
    },
  },
  {
    form_factor: "PHONE",
    display_mode: "FOLDABLE",
    display_settings: {
      displays: [
        { width: 1080, height: 2640, density: 425 },
        { width: 720, height: 748, density: 306 },
      ],
      hw_navigation_keys: false,
    },
  },
  {
    form_factor: "CAR",
    display_mode: "MULTI_DISPLAY",
    display_settings: {
      displays: [
        { width: 1920, height: 720, density: 160 },
        { width: 1280, height: 800, density: 160 },
        { width: 600, height: 1024, density: 160 },
      ],
      hw_navigation_keys: false,
    },
  },
  regular("PHONE", [100, 8192, 160]),
  regular("TV", [8192, 200, 640]),
];

/** What several features show of our nouns. */
export const demos = {
  states: instanceStates.map((state) => <InstanceState key={state} state={state} />),
  shapes: shapes.map((shape) => <FormFactorTile key={shape} shape={shape} />),
  drawings: profiles.map((profile, index) => (
    <Stage key={index} sx={{ height: 192, placeItems: "end center", pb: 4 }}>
      <Arch sx={{ width: 200, height: 164 }} />
      <DeviceDrawing profile={profile} within={{ width: 200, height: 152 }} />
    </Stage>
  )),
};
