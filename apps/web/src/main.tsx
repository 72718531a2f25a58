import "./shell/zod-config.ts";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./shell/App.tsx";
import { followRights } from "./shell/follow-rights.ts";
import { followSession } from "./shell/follow-session.ts";
import { router } from "./shell/router.tsx";
import "./en/sentences.ts";
import "./theme/fonts.css";

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}

followSession();
// The guards look again at the page that is open.
followRights(() => void router.revalidate());
