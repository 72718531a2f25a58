import type { InstalledApp } from "@terrarium/simulator/screen";
import type { App, CreateApp, Shell } from "./app.ts";
import { createCalculator } from "./calculator/calculator.ts";
import { createClockApp } from "./clock/clock-app.ts";
import { createInstalledPage } from "./installed-page.ts";
import { createLatency } from "./latency.ts";
import { createNotes } from "./notes/notes.ts";
import { createPaint } from "./paint/paint.ts";
import { createSettings } from "./settings/settings.ts";

const creators: Record<string, CreateApp> = {
  "com.terrarium.settings": createSettings,
  "com.terrarium.notes": createNotes,
  "com.terrarium.clock": createClockApp,
  "com.terrarium.calculator": createCalculator,
  "com.terrarium.paint": createPaint,
  "com.terrarium.latency": createLatency,
};

/** Our own app of that name, or the page that stands in for an APK's. */
export const createApp = (shell: Shell, app: InstalledApp): App =>
  (creators[app.packageName] ?? createInstalledPage)(shell, app);
