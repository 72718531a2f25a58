import type { Insets, Rect } from "../draw/rect.ts";
import type { Look } from "../look/look.ts";
import type { InstalledApp, ScreenHost } from "@terrarium/simulator/screen";
import type { Field } from "../ui/field.ts";
import type { Ui } from "../ui/ui.ts";

/** What the system provides to an app. */
export interface Shell {
  readonly host: ScreenHost;
  /** The field that both keyboards write to. */
  readonly field: Field | undefined;
  /** Starts writing into a field and shows the keyboard; `undefined` hides it. */
  edit(field: Field | undefined): void;
  open(packageName: string): boolean;
  home(): void;
  back(): void;
}

/** Where an app draws: all of `area`, with nothing that matters in the insets (system bars, keyboard, round corners). */
export interface Frame {
  area: Rect;
  insets: Insets;
}

export interface App {
  readonly packageName: string;
  /** `.Settings` */
  readonly activity: string;
  draw(ui: Ui, frame: Frame): void;
  /** Goes one step back inside the app; false when it is at its first page. */
  back?(): boolean;
  /** A key that went down; true when it was used. */
  key?(code: number): boolean;
  /** Colours of the status bar over it; without it the look's own. */
  statusBar?(look: Look): { back: string; ink: string };
}

export type CreateApp = (shell: Shell, app: InstalledApp) => App;
