import type { Clock } from "@terrarium/clock";
import { parseSignal } from "@terrarium/player";
import type { Cleanup } from "../../platform/clean-up.ts";
import { type Farewell, farewells } from "../farewell.ts";
import type { ViewerSocket } from "../viewers/viewer-socket.ts";
import { type Grant, Visitor, type VisitorDeps } from "../viewers/visitor.ts";
import type { WatchedDevice } from "../watched-device.ts";
import type { Miniature } from "./miniature.ts";

/** Between two pictures for one onlooker. */
const MINIATURE_INTERVAL_MS = 1_000;

/** What an onlooker says when it has shown a picture and can take the next. */
const NEXT = "next";

/**
 * One browser that looks at the miniature of one device: shows its token, says `next`, gets a picture as a binary message, and so on. It
 * gets one picture for each `next`, the latest, so what is slow or does not look costs nothing and holds up nobody.
 */
export class Onlooker extends Visitor {
  readonly #clock: Clock;
  readonly #intervalMs: number;
  #miniature: Miniature | undefined;
  #wantsNext = false;
  #sent: Buffer | undefined;
  #sentAt = Number.NEGATIVE_INFINITY;
  #isWaiting = false;

  constructor(socket: ViewerSocket, deps: VisitorDeps, intervalMs = MINIATURE_INTERVAL_MS) {
    super(socket, deps);
    this.#clock = deps.clock;
    this.#intervalMs = intervalMs;
  }

  protected override serve(device: WatchedDevice, _grant: Grant, cleanup: Cleanup): void {
    this.lookAt(device.miniature, device.over, cleanup);
  }

  /** Sends its pictures until the device is over. @throws Farewell if as many look as may */
  protected lookAt(miniature: Miniature, over: AbortSignal, cleanup: Cleanup): void {
    if (miniature.full) throw farewells.tooManyViewers();
    over.addEventListener("abort", () => this.end(over.reason as Farewell), { once: true, signal: this.over });
    this.#miniature = miniature;
    cleanup.add(miniature.look(() => this.#sendNext()));
    this.#sendNext();
  }

  protected override take(text: string): boolean {
    if (text === NEXT) {
      this.#wantsNext = true;
      this.#sendNext();
      return true;
    }
    const signal = parseSignal(text);
    if (signal?.type !== "token") return false;
    this.giveToken(signal.token);
    return true;
  }

  /** Whether this one may see the next picture. */
  protected maySee(): boolean {
    return true;
  }

  #sendNext(): void {
    const picture = this.#miniature?.picture;
    if (
      !this.#wantsNext ||
      !picture ||
      !this.maySee() ||
      picture === this.#sent ||
      this.#isWaiting ||
      this.over.aborted
    )
      return;
    const early = this.#sentAt + this.#intervalMs - this.#clock.monotonic();
    if (early > 0) return void this.#sendLater(early);
    this.#wantsNext = false;
    this.#sent = picture;
    this.#sentAt = this.#clock.monotonic();
    this.socket.sendBytes(picture);
  }

  async #sendLater(ms: number): Promise<void> {
    this.#isWaiting = true;
    await this.#clock.sleep(ms, this.over).catch(() => undefined);
    this.#isWaiting = false;
    this.#sendNext();
  }
}
