import { saveScreenshot } from "../captures/screenshot.ts";
import { neverOver, type OpenTool, ToolError } from "./tool.ts";

/** Captures the screen, as a picture or as a video. */
export const openCaptures: OpenTool = async (deps) => {
  const { captures } = deps;
  if (!captures) throw new ToolError("unsupported");
  const { maker, open, onSaving, recorder } = captures;
  const screenshot = async () => {
    const saving = saveScreenshot(deps, () => open({ ...maker, kind: "screenshot" }));
    onSaving(saving);
    return { capture: await saving };
  };
  return {
    over: neverOver,
    async answer({ what }) {
      if (what === "screenshot") return screenshot();
      if (what === "record") await recorder.start(maker);
      else if (what === "stop") return { capture: (await recorder.stop()) ?? null };
      else throw new ToolError("invalid");
      return {};
    },
  };
};
