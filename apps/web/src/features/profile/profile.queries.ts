import { mutation } from "../../components/mutation.ts";
import { saveAnswer } from "../../components/save-file.ts";
import { client } from "../../session/client.ts";

/** What would happen if somebody deleted their account now. */
export const deletionOf = (uuid: string) => ({
  queryKey: ["profile", "deletion", uuid] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => client.profile.deletion({ params: { uuid } }, { signal }),
  // Devices start and stop all the time.
  staleTime: 0,
  gcTime: 0,
});

/** Saves everything that is held on somebody as a file. The page shows a refusal itself. */
export const downloadData = mutation({
  mutationKey: ["profile", "export"],
  mutationFn: async (uuid: string) => {
    const answer = await client.profile.export({ params: { uuid } });
    await saveAnswer(answer, "terrarium.json");
  },
});
