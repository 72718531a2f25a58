import { mutation } from "../../components/mutation.ts";
import { saveFile } from "../../components/save-file.ts";
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
    const named = /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") ?? "")?.[1];
    // A link is no way to a file from a call that carries a token.
    saveFile(await answer.blob(), named ?? "terrarium.json");
  },
});
