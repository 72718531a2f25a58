import type { Insets, Rect } from "../draw/rect.ts";
import type { InstalledApp, ScreenHost } from "@terrarium/simulator/screen";
import type { Ui } from "../ui/ui.ts";

/** What a home screen may do. */
export interface LauncherActions {
  host: ScreenHost;
  /** Opens an app, growing out of its icon. */
  open(app: InstalledApp, from: Rect): void;
  showDrawer(query?: boolean): void;
  /** Records where an app's icon is, for the animation that closes it. */
  iconAt(packageName: string, r: Rect): void;
}

export type DrawHome = (ui: Ui, screen: Rect, insets: Insets, launcher: LauncherActions) => void;
