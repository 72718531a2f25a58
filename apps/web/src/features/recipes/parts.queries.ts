import { keepPreviousData } from "@tanstack/react-query";
import { limits } from "@terrarium/contract";
import { client } from "../../session/client.ts";

/** How many of one's own parts are offered first. */
const RECENT = { source: "owner", ordering: "-updated_at", page_size: 5 } as const;

const found = (search: string) => ({ search: search || undefined, page_size: limits.pageSize });

/** The hardware profiles to choose from: one's own that were changed last, and those that are found. */
export const profileChoices = {
  recent: {
    queryKey: ["hardware-profiles", "recent"] as const,
    queryFn: ({ signal }: { signal: AbortSignal }) => client.hardwareProfiles.list({ query: RECENT }, { signal }),
  },
  found: (search: string) => ({
    queryKey: ["hardware-profiles", "found", search] as const,
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      client.hardwareProfiles.list({ query: found(search) }, { signal }),
    placeholderData: keepPreviousData,
  }),
};

/** The OS images to choose from, as `profileChoices`. */
export const imageChoices = {
  recent: {
    queryKey: ["os-images", "recent"] as const,
    queryFn: ({ signal }: { signal: AbortSignal }) => client.osImages.list({ query: RECENT }, { signal }),
  },
  found: (search: string) => ({
    queryKey: ["os-images", "found", search] as const,
    queryFn: ({ signal }: { signal: AbortSignal }) => client.osImages.list({ query: found(search) }, { signal }),
    placeholderData: keepPreviousData,
  }),
};
