import type { App, Shell } from "../apps/app.ts";
import { createApp } from "../apps/create-app.ts";
import { LAUNCHER } from "@terrarium/simulator/screen";
import { rect, type Rect } from "../draw/rect.ts";

/** How long an app takes to open or close. */
const MOVE_MS = 200;

interface Move {
  app: App;
  opening: boolean;
  from: Rect;
  start: number;
}

/** The apps that run and the one in front, most recent first. */
export class Tasks {
  running: App[] = [];
  front: App | undefined;
  /** Icons of the home screen by package, where closing apps fly to. */
  readonly icons = new Map<string, Rect>();
  #move: Move | undefined;
  readonly #shell: Shell;

  constructor(shell: Shell) {
    this.#shell = shell;
  }

  get focused(): string {
    return this.front ? `${this.front.packageName}/${this.front.activity}` : `${LAUNCHER}/.Launcher`;
  }

  /** Brings an app to the front. Returns false if it is not installed. */
  open(packageName: string, now: number, from?: Rect): boolean {
    const { host } = this.#shell;
    if (packageName === LAUNCHER) {
      this.goHome(now);
      return true;
    }
    const installed = host.apps().find((app) => app.packageName === packageName);
    if (!installed) return false;
    if (this.front?.packageName === packageName) return true;
    const app = this.running.find((other) => other.packageName === packageName) ?? createApp(this.#shell, installed);
    this.running = [app, ...this.running.filter((other) => other !== app)];
    this.front = app;
    this.#move = { app, opening: true, from: from ?? this.icons.get(packageName) ?? rect(0, 0, 0, 0), start: now };
    host.log("ActivityTaskManager", `START u0 {act=android.intent.action.MAIN cmp=${packageName}/${app.activity}}`);
    return true;
  }

  goHome(now: number): void {
    if (!this.front) return;
    const from = this.icons.get(this.front.packageName) ?? rect(0, 0, 0, 0);
    this.#move = { app: this.front, opening: false, from, start: now };
    this.front = undefined;
    this.#shell.host.log("ActivityTaskManager", `START u0 {act=android.intent.action.MAIN cmp=${LAUNCHER}/.Launcher}`);
  }

  close(app: App): void {
    this.running = this.running.filter((other) => other !== app);
    if (this.front === app) this.front = undefined;
  }

  /** The app that is opening or closing, and how far open it is, 0..1; undefined when nothing moves. */
  moving(now: number): { app: App; open: number; from: Rect } | undefined {
    const move = this.#move;
    if (!move) return undefined;
    const t = Math.min(1, Math.max(0, (now - move.start) / MOVE_MS));
    if (t >= 1) {
      this.#move = undefined;
      return undefined;
    }
    const eased = 1 - (1 - t) ** 3;
    return { app: move.app, open: move.opening ? eased : 1 - eased, from: move.from };
  }

  /** Forgets apps that were uninstalled. */
  prune(): void {
    const names = new Set(this.#shell.host.apps().map((app) => app.packageName));
    for (const app of this.running) if (!names.has(app.packageName)) this.close(app);
  }
}
