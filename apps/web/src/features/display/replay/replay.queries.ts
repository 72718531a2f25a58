import "../../../en/replay.ts";
import type { Capture } from "@terrarium/contract";
import { mutation } from "../../../components/mutation.ts";
import { sayTrouble } from "../tools/ToolNotice.tsx";

/** Saves a replay, over its connection. */
export const saveReplay = mutation({
  mutationKey: ["replays", "save"],
  mutationFn: async (save: () => Promise<{ capture: Capture }>) => (await save()).capture,
  says: (t) => t("replay.saved"),
  refuses: (t, error) => sayTrouble(t, error),
});
