import type { InstalledApp } from "@terrarium/simulator/screen";
import type { App, CreateApp, Shell } from "./app.ts";
import { createCalculator } from "./calculator/calculator.ts";
import { createInstalledPage } from "./installed-page.ts";
import { createLatency } from "./latency.ts";
import { createNotes } from "./notes/notes.ts";
import { createSettings } from "./settings/settings.ts";

const creators: Record<string, CreateApp> = {
  "com.terrarium.settings": createSettings,
  "com.terrarium.notes": createNotes,
  "com.terrarium.calculator": createCalculator,
  "com.terrarium.latency": createLatency,
};

/** Our own app of that name, or the page that stands in for an APK's. */
export const createApp = (shell: Shell, app: InstalledApp): App =>
  (creators[app.packageName] ?? createInstalledPage)(shell, app);
