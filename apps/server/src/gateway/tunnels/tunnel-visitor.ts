import { closeCodes, type Hello, parseConfirmation, parseHello } from "@terrarium/adb-tunnel";
import type { Cleanup } from "../../platform/clean-up.ts";
import type { ByteConnection } from "../../platform/websocket/byte-socket.ts";
import { Farewell, farewells } from "../farewell.ts";
import { type Grant, Visitor, type VisitorDeps } from "../viewers/visitor.ts";
import type { WatchedDevice } from "../watched-device.ts";
import { DaemonFlow } from "./daemon-flow.ts";
import { notForWatchers, type Tunnel } from "./tunnel.ts";
import type { Tunnels } from "./tunnels.ts";

/** The daemon that comes with `gmsaas` says so where flow control is left to us. */
const VERSION_WITH_OUR_FLOW = 2;

export interface TunnelVisitorDeps extends VisitorDeps {
  tunnels: Tunnels;
  /** From the header or the query of the request. */
  token?: string | undefined;
}

/** One client's socket for adb: shows its token, and then its bytes go to a device and back. */
export class TunnelVisitor extends Visitor {
  readonly #socket: ByteConnection;
  readonly #deps: TunnelVisitorDeps;
  #hello: Hello | undefined;
  /** The client has come with another socket. */
  #isResumedElsewhere = false;

  constructor(socket: ByteConnection, deps: TunnelVisitorDeps) {
    // What is said with the token waits until there is a device that it can be said to.
    if (deps.token !== undefined) socket.pause();
    super(socket, deps);
    this.#socket = socket;
    this.#deps = deps;
    if (deps.token !== undefined) this.#begin({ token: deps.token });
  }

  protected override take(text: string): boolean {
    const hello = parseHello(text);
    if (!hello || this.#hello) return false;
    this.#begin(hello);
    return true;
  }

  protected override serve(device: WatchedDevice, grant: Grant, cleanup: Cleanup): void {
    const { dial } = device;
    if (grant.role !== "owner" || grant.viewOnly) throw notForWatchers();
    if (!dial) throw farewells.notReady();
    const tunnel = this.#tunnel(device, grant, dial);
    cleanup.add(async () => {
      const reason: unknown = this.over.reason;
      const isDone = reason instanceof Farewell || this.#socket.leftWith === closeCodes.adbClosed;
      if (this.#isResumedElsewhere || !isDone) tunnel.detach(this.#socket);
      else tunnel.close(reason instanceof Farewell ? reason : farewells.serverTrouble());
    });
    this.#socket.listenBytes({
      onBytes: (bytes) => tunnel.fromClient(bytes) || this.end(farewells.badMessage()),
      onText: (text) => tunnel.confirmed(parseConfirmation(text)) || this.end(farewells.badMessage()),
      onDrain: () => tunnel.clientDrained(),
    });
    this.#socket.resume();
  }

  #tunnel(device: WatchedDevice, grant: Grant, dial: NonNullable<WatchedDevice["dial"]>): Tunnel {
    const { tunnels, clock, instanceUuid } = this.#deps;
    const { resume, daemonVersion } = this.#hello ?? {};
    const leave = (why: Farewell) => {
      this.#isResumedElsewhere ||= why.code === closeCodes.resumed;
      this.end(why);
    };
    if (typeof resume === "object") {
      const tunnel = tunnels.find(resume.id, instanceUuid, grant);
      if (!tunnel?.resume(this.#socket, leave, resume.received))
        throw new Farewell(closeCodes.notResumable, "there is nothing to resume");
      if (tunnel.grant.credential !== grant.credential) this.#deps.onAct(grant, { action: "instance.open_adb" });
      tunnel.grant = grant;
      return tunnel;
    }
    const tunnel = tunnels.open(instanceUuid, grant, {
      dial,
      onUse: () => device.used(clock.monotonic()),
      onRun: (command) => device.replay.ran(command),
    });
    if (!tunnel) throw new Farewell(closeCodes.tooMany, "too many connections of adb");
    if (daemonVersion !== undefined) this.#socket.send(JSON.stringify({ connection: "SUCCESS" }));
    const flow = daemonVersion === VERSION_WITH_OUR_FLOW ? new DaemonFlow() : undefined;
    this.#deps.onAct(grant, { action: "instance.open_adb" });
    tunnel.begin(this.#socket, leave, { isResumable: resume === "new", flow });
    return tunnel;
  }

  #begin(hello: Hello): void {
    this.#hello = hello;
    this.#socket.pause();
    this.giveToken(hello.token);
  }
}
