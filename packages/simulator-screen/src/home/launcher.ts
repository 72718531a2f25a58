import type { Insets, Rect } from "../draw/rect.ts";
import type { InstalledApp, ScreenHost } from "@terrarium/simulator/screen";
import type { Drag } from "../ui/hit.ts";
import type { Ui } from "../ui/ui.ts";

/** What a home screen may do. */
export interface LauncherActions {
  host: ScreenHost;
  /** Opens an app, growing out of its icon. */
  open(app: InstalledApp, from: Rect): void;
  showDrawer(query?: boolean): void;
  /** A finger that brings all apps up, or takes them down again. */
  pullDrawer: Drag;
  /** Records where an app's icon is, for the animation that closes it. */
  iconAt(packageName: string, r: Rect): void;
}

export type DrawHome = (ui: Ui, screen: Rect, insets: Insets, launcher: LauncherActions) => void;
