import type { CurrentSettings } from "@terrarium/contract";
import { client } from "./client.ts";

/** What anyone may know of this installation. It does not change while the page is open. */
export const publicSettings = {
  queryKey: ["settings"],
  queryFn: () => client.settings.get(),
  staleTime: Number.POSITIVE_INFINITY,
  initialData: settingsInPage,
};

/** What a prerendered page was made with: its first render must be the same. Read once, as it has the time of then. */
function settingsInPage(): CurrentSettings | undefined {
  const block = globalThis.document?.getElementById("settings");
  block?.remove();
  return block ? (JSON.parse(block.textContent) as CurrentSettings) : undefined;
}
