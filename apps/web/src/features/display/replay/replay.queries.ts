import "../../../en/replay.ts";
import type { Capture } from "@terrarium/contract";
import { mutation } from "../../../components/mutation.ts";
import { sayTrouble } from "../tools/ToolNotice.tsx";

/** Keeps a replay by what its connection offers for that. */
export const saveReplay = mutation({
  mutationKey: ["replays", "save"],
  mutationFn: async (save: () => Promise<{ capture: Capture }>) => (await save()).capture,
  says: (t) => t("replay.saved"),
  refuses: (t, error) => sayTrouble(t, error),
});
