import type { Clock } from "@terrarium/clock";
import { parseSignal } from "@terrarium/player";
import type { Cleanup } from "../../platform/clean-up.ts";
import { farewells } from "../farewell.ts";
import { Onlooker } from "../miniatures/onlooker.ts";
import { CommandBudget } from "../viewers/command-budget.ts";
import type { ViewerSocket } from "../viewers/viewer-socket.ts";
import type { Grant, VisitorDeps } from "../viewers/visitor.ts";
import type { WatchedDevice } from "../watched-device.ts";
import { type Showcase, PICTURE_MS } from "./showcase.ts";

/** Long enough to try it. A page that was left open shows its drawing then. */
const MAX_VISIT_MS = 5 * 60_000;

/**
 * A stranger at the device that is shown to everybody: an onlooker who gets more pictures, for a limited time, and may press, move and
 * release one pointer. Nothing else that they say reaches the device.
 */
export class ShowcaseVisitor extends Onlooker {
  readonly #clock: Clock;
  readonly #commands = new CommandBudget();
  #showcase: Showcase | undefined;

  constructor(socket: ViewerSocket, deps: VisitorDeps) {
    super(socket, deps, PICTURE_MS);
    this.#clock = deps.clock;
  }

  protected override serve(device: WatchedDevice, grant: Grant, cleanup: Cleanup): void {
    if (!device.showcase.admits(grant.onlineAt)) throw farewells.deviceEnded();
    this.#showcase = device.showcase;
    this.lookAt(device.showcase.pictures, device.over, cleanup);
    cleanup.add(device.showcase.enter(this));
    this.#clock.sleep(MAX_VISIT_MS, this.over).then(
      () => this.end(farewells.expiredToken()),
      () => undefined,
    );
  }

  protected override take(text: string): boolean {
    if (super.take(text)) return true;
    const signal = parseSignal(text);
    if (signal?.type !== "commands" || !this.#showcase) return false;
    const now = this.#clock.monotonic();
    for (const command of signal.commands) {
      if (command.type !== "mouse") return false;
      if (this.#commands.allows(command, now)) this.#showcase.touch(this, command);
    }
    return true;
  }

  protected override maySee(): boolean {
    return this.#showcase?.isShownTo(this) ?? false;
  }
}
