import { instanceStates } from "@terrarium/contract";
import { DeviceDrawing } from "./DeviceDrawing.tsx";
import { FormFactorTile, shapes } from "./FormFactorTile.tsx";
import { InstanceState } from "./InstanceState.tsx";
import { Arch, Stage } from "./Stage.tsx";

/** What several features show of our nouns. */
export const demos = {
  states: instanceStates.map((state) => <InstanceState key={state} state={state} />),
  shapes: shapes.map((shape) => <FormFactorTile key={shape} shape={shape} />),
  stage: shapes.map((shape) => (
    <Stage key={shape} sx={{ height: 152, placeItems: "end center" }}>
      <Arch sx={{ width: 170, height: 138 }} />
      <DeviceDrawing shape={shape} width={92} />
    </Stage>
  )),
};
