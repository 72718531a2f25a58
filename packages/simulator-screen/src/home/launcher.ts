import type { Insets, Rect } from "../draw/rect.ts";
import type { InstalledApp, ScreenHost } from "@terrarium/simulator/screen";
import type { Ui } from "../ui/ui.ts";

/** What a home screen may do. */
export interface LauncherActions {
  host: ScreenHost;
  /** Opens an app out of the place of its icon. */
  open(app: InstalledApp, from: Rect): void;
  showDrawer(query?: boolean): void;
  /** Says where an app's icon is, so that closing it flies back there. */
  iconAt(packageName: string, r: Rect): void;
}

export type DrawHome = (ui: Ui, screen: Rect, insets: Insets, launcher: LauncherActions) => void;
