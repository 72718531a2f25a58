import "./shell/zod-config.ts";
import { followRights } from "./shell/follow-rights.ts";
import { followSession } from "./shell/follow-session.ts";
import { router } from "./shell/router.tsx";
import { showIn } from "./shell/show.tsx";
import { client, refreshUser, session } from "./session/client.ts";
import { syncPreferences } from "./session/sync-preferences.ts";
import "./en/sentences.ts";
import "./theme/fonts.css";

const root = document.getElementById("root");
if (root) void showIn(root);

followSession();
syncPreferences(session, {
  refresh: refreshUser,
  save: (uuid, front_preferences) => client.users.update({ params: { uuid }, body: { front_preferences } }),
});
// The guards look again at the page that is open.
followRights(() => void router.revalidate());
