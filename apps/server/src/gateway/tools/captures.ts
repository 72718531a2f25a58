import { keepScreenshot } from "../captures/screenshot.ts";
import { neverOver, type OpenTool, ToolError } from "./tool.ts";

/** Keeps what is on the screen, as a picture or as a video. */
export const openCaptures: OpenTool = async (deps) => {
  const { captures } = deps;
  if (!captures) throw new ToolError("unsupported");
  const { maker, open, onSaving, recorder } = captures;
  const keep = async () => {
    const kept = keepScreenshot(deps, () => open({ ...maker, kind: "screenshot" }));
    onSaving(kept);
    return { capture: await kept };
  };
  return {
    over: neverOver,
    async answer({ what }) {
      if (what === "screenshot") return keep();
      if (what === "record") await recorder.start(maker);
      else if (what === "stop") return { capture: (await recorder.stop()) ?? null };
      else throw new ToolError("invalid");
      return {};
    },
  };
};
