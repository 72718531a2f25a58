import { closeCodes, RESUME_MS, ResumableEnd, WINDOW_BYTES } from "@terrarium/adb-tunnel";
import type { Clock } from "@terrarium/clock";
import { randomBytes } from "node:crypto";
import { Farewell, farewells } from "../farewell.ts";
import type { Grant } from "../viewers/visitor.ts";
import type { DaemonFlow } from "./daemon-flow.ts";
import { RunCommands } from "./run-commands.ts";
import type { DevicePipe } from "./device-pipe.ts";

/** What waits for a client that reads slower than its device talks. */
const MAX_UNREAD_BYTES = 256 * 1024;

/** adb opens everything on a device, and what it does is not shown to others. */
export const notForWatchers = () => new Farewell(closeCodes.refused, "adb is for the device's owner");

/** What a tunnel needs of its client's socket. */
export interface TunnelSocket {
  send(text: string): void;
  sendBytes(bytes: Uint8Array): void;
  readonly unread: number;
  pause(): void;
  resume(): void;
}

export interface TunnelDeps {
  instanceUuid: string;
  grant: Grant;
  pipe: DevicePipe;
  clock: Clock;
  /** Called with each command that the client's adb runs. */
  onRun(command: string): void;
  /** Called with bytes that pass. */
  onBytes(direction: "to_device" | "from_device", length: number): void;
  onClose(): void;
}

/** One connection of a client's adb to a device. It may outlive the client's socket. */
export class Tunnel {
  /** Whoever knows it, and has a token, can resume the tunnel. */
  readonly id = randomBytes(24).toString("base64url");
  readonly instanceUuid: string;
  /** By which its client came last. */
  grant: Grant;
  readonly #deps: TunnelDeps;
  readonly #pipe: DevicePipe;
  readonly #commands = new RunCommands();
  readonly #closed = new AbortController();
  #client: { socket: TunnelSocket; leave: (why: Farewell) => void } | undefined;
  /** Ends the wait for a client to come back. */
  #absence: AbortController | undefined;
  /** Only if the client can resume. */
  #end: ResumableEnd | undefined;
  /** Only for a daemon that leaves it to us. */
  #flow: DaemonFlow | undefined;

  constructor(deps: TunnelDeps) {
    this.#deps = deps;
    this.#pipe = deps.pipe;
    this.instanceUuid = deps.instanceUuid;
    this.grant = deps.grant;
    deps.pipe.listen({
      onBytes: (bytes) => this.#fromDevice(bytes),
      onDrain: () => this.#onDeviceDrain(),
      onClose: () => this.close(new Farewell(closeCodes.adbClosed, "adb has closed the connection")),
    });
  }

  /** Serves a client that has just come. `leave` is called when the tunnel is over. */
  begin(
    socket: TunnelSocket,
    leave: (why: Farewell) => void,
    kind: { isResumable?: boolean; flow?: DaemonFlow },
  ): void {
    if (kind.isResumable) this.#end = new ResumableEnd();
    this.#flow = kind.flow;
    this.#attach(socket, leave);
    if (this.#end) this.#welcome(0);
  }

  /** Serves a client that is back and has these many bytes. Returns false if it cannot be the same. */
  resume(socket: TunnelSocket, leave: (why: Farewell) => void, received: number): boolean {
    const missed = this.#end?.resume(received);
    if (!this.#end || !missed) return false;
    // Its former socket may look alive for a while.
    const former = this.#client;
    this.#client = undefined;
    former?.leave(new Farewell(closeCodes.resumed, "resumed with another socket"));
    this.#attach(socket, leave);
    this.#welcome(this.#end.received);
    for (const bytes of missed) socket.sendBytes(bytes);
    this.#letDeviceTalk();
    return true;
  }

  /** The socket has closed without a word. A client that can resume has a minute. */
  detach(socket: TunnelSocket): void {
    if (this.#client?.socket !== socket) return;
    this.#client = undefined;
    if (!this.#end) return this.close(farewells.serverTrouble());
    this.#absence = new AbortController();
    this.#deps.clock.sleep(RESUME_MS, AbortSignal.any([this.#absence.signal, this.#closed.signal])).then(
      () => this.close(farewells.notReady()),
      () => undefined,
    );
  }

  close(why: Farewell): void {
    if (this.#closed.signal.aborted) return;
    this.#closed.abort(why);
    this.#pipe.close();
    this.#client?.leave(why);
    this.#deps.onClose();
  }

  /** What the client sends. The array is the tunnel's. Returns false for what no client sends. */
  fromClient(bytes: Uint8Array): boolean {
    if (this.#closed.signal.aborted) return true;
    this.#deps.onBytes("to_device", bytes.length);
    for (const command of this.#commands.push(bytes)) this.#deps.onRun(command);
    if (this.#end) {
      this.#end.receive(bytes.length);
      // Two windows: one may have been confirmed by resuming while the device took none of it.
      if (this.#end.waiting > 2 * WINDOW_BYTES) return false;
      if (this.#pipe.write(bytes)) this.#confirm();
      return true;
    }
    if (!this.#flow) {
      if (!this.#pipe.write(bytes)) this.#client?.socket.pause();
      return true;
    }
    try {
      this.#flow.fromClient(bytes);
    } catch {
      return false;
    }
    this.#pumpFlow();
    return true;
  }

  /** A text that the client sends after its first. Returns false for what no client sends. */
  confirmed(received: number | undefined): boolean {
    if (received === undefined || !this.#end?.confirm(received)) return false;
    this.#letDeviceTalk();
    return true;
  }

  /** The client has read all that was sent. */
  clientDrained(): void {
    if (this.#flow) this.#pumpFlow();
    this.#letDeviceTalk();
  }

  #attach(socket: TunnelSocket, leave: (why: Farewell) => void): void {
    this.#absence?.abort();
    this.#client = { socket, leave };
  }

  #welcome(received: number): void {
    this.#client?.socket.send(JSON.stringify({ connection: "SUCCESS", resume: this.id, received }));
  }

  #fromDevice(bytes: Uint8Array): void {
    this.#deps.onBytes("from_device", bytes.length);
    if (this.#flow) {
      try {
        this.#flow.fromDevice(bytes);
      } catch {
        return this.close(farewells.serverTrouble());
      }
      return this.#pumpFlow();
    }
    this.#end?.send(bytes);
    this.#client?.socket.sendBytes(bytes);
    if (!this.#mayDeviceTalk()) this.#pipe.pause();
  }

  #mayDeviceTalk(): boolean {
    return !this.#end?.isFull && (this.#client?.socket.unread ?? 0) < MAX_UNREAD_BYTES;
  }

  #letDeviceTalk(): void {
    if (this.#mayDeviceTalk()) this.#pipe.resume();
  }

  #onDeviceDrain(): void {
    if (this.#end) return this.#confirm();
    if (this.#flow) this.#pumpFlow();
    else this.#client?.socket.resume();
  }

  #confirm(): void {
    const received = this.#end?.take();
    if (received !== undefined) this.#client?.socket.send(JSON.stringify({ received }));
  }

  /** Passes on what the flow control has let through. */
  #pumpFlow(): void {
    const { socket } = this.#client ?? {};
    if (!this.#flow || !socket) return;
    const { toClient, toDevice } = this.#flow.take(socket.unread < MAX_UNREAD_BYTES);
    for (const packet of toClient) socket.sendBytes(packet);
    for (const packet of toDevice) this.#pipe.write(packet);
    if (this.#flow.isFull || this.#pipe.untaken > WINDOW_BYTES) socket.pause();
    else socket.resume();
    if (!this.#mayDeviceTalk()) this.#pipe.pause();
    else this.#pipe.resume();
  }
}
