import type { Rect } from "../../draw/rect.ts";
import type { Row } from "../../ui/rows.ts";
import type { Ui } from "../../ui/ui.ts";
import type { Shell } from "../app.ts";

/** What a page of Settings may use. */
export interface PageContext {
  ui: Ui;
  shell: Shell;
  go: (page: PageName) => void;
  /** Values that live in the app and not in the device: which app's details are shown. */
  detail: string | undefined;
  showApp: (packageName: string) => void;
}

export type PageName =
  | "network"
  | "display"
  | "sound"
  | "battery"
  | "storage"
  | "apps"
  | "app"
  | "system"
  | "languages"
  | "time"
  | "zones"
  | "about";

export interface Page {
  title: string;
  rows(context: PageContext): Row[];
  /** A picture above the rows: draws it from `y` and answers its height. */
  header?(context: PageContext, column: Rect, y: number): number;
}
