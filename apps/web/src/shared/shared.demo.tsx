import { instanceStates } from "@terrarium/contract";
import { type DeviceShape, DeviceDrawing } from "./DeviceDrawing.tsx";
import { FormFactorTile, shapeGlyphs } from "./FormFactorTile.tsx";
import { InstanceState } from "./InstanceState.tsx";
import { Arch, Stage } from "./Stage.tsx";

const shapes = Object.keys(shapeGlyphs) as DeviceShape[];

/** What several features show of our nouns. */
export const demos = {
  states: instanceStates.map((state) => <InstanceState key={state} state={state} />),
  shapes: shapes.map((shape) => <FormFactorTile key={shape} shape={shape} label={shape} />),
  stage: shapes.map((shape) => (
    <Stage key={shape} sx={{ height: 152, placeItems: "end center" }}>
      <Arch sx={{ width: 170, height: 138 }} />
      <DeviceDrawing shape={shape} width={92} />
    </Stage>
  )),
};
