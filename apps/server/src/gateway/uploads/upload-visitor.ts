import { AppError, errors } from "@terrarium/contract";
import { parseUpload, type UploadCommand, uploadMessages } from "@terrarium/player";
import type { Cleanup } from "../../platform/clean-up.ts";
import type { ByteConnection } from "../../platform/websocket/byte-socket.ts";
import { Farewell, farewells } from "../farewell.ts";
import { type Grant, Visitor, type VisitorDeps } from "../viewers/visitor.ts";
import type { WatchedDevice } from "../watched-device.ts";
import { fileNameOf } from "./put-file.ts";
import type { Outcome, Upload } from "./upload.ts";
import type { Uploads } from "./uploads.ts";

export interface UploadVisitorDeps extends VisitorDeps {
  uploads: Uploads;
  token?: string | undefined;
}

/** Where somebody is with a file of theirs. */
interface Current {
  upload: Upload;
  /** The client has said that it has sent all of it. */
  isDone: boolean;
  outcome?: Outcome;
}

/**
 * One client's socket for files: shows its token, then brings one file after the other, in messages of any size, each when it is asked to.
 * A client that gives its file an id may come back with another socket, and learns where to go on.
 */
export class UploadVisitor extends Visitor {
  readonly #socket: ByteConnection;
  readonly #deps: UploadVisitorDeps;
  #device: WatchedDevice | undefined;
  #current: Current | undefined;

  constructor(socket: ByteConnection, deps: UploadVisitorDeps) {
    // What is said with the token waits until it is known whether it may be said.
    if (deps.token !== undefined) socket.pause();
    super(socket, deps);
    this.#socket = socket;
    this.#deps = deps;
    if (deps.token !== undefined) this.giveToken(deps.token);
  }

  protected override take(text: string): boolean {
    const command = parseUpload(text);
    if (!command) return false;
    if (command.type === "token") {
      if (!this.grant) this.#socket.pause();
      this.giveToken(command.token);
      return true;
    }
    if (!this.#device || !this.grant) return false;
    this.#obey(command, this.#device, this.grant);
    return true;
  }

  protected override serve(device: WatchedDevice, grant: Grant, cleanup: Cleanup): void {
    if (grant.role !== "owner" || grant.viewOnly) throw notForThem();
    if (!device.files) throw farewells.notReady();
    this.#device = device;
    device.over.addEventListener("abort", () => this.end(device.over.reason as Farewell), {
      once: true,
      signal: this.over,
    });
    cleanup.add(async () => {
      const { upload } = this.#current ?? {};
      if (upload?.bringer !== this) return;
      upload.bringer = undefined;
      // Its client may be back, unless it was sent away.
      if (upload.id === undefined || this.over.reason instanceof Farewell)
        upload.abort(new AppError("REQUEST_TIMEOUT"));
    });
    this.#socket.listenBytes({
      onBytes: (bytes, isEnd) => this.#bring(bytes, isEnd),
      onText: (text) => this.hear(text),
      onDrain: () => undefined,
    });
    this.#socket.resume();
  }

  goOn(): void {
    this.#socket.resume();
  }

  /** Its client is back with another socket. */
  yield(): void {
    this.#current = undefined;
    this.end(farewells.serverTrouble());
  }

  #obey(command: Exclude<UploadCommand, { type: "token" }>, device: WatchedDevice, grant: Grant): void {
    const current = this.#current;
    if (command.type === "begin") return this.#begin(command, device, grant);
    if (!current) return;
    if (command.type === "cancel") return current.upload.abort(new AppError("REQUEST_TIMEOUT"));
    current.isDone = true;
    if (current.upload.received < current.upload.size) current.upload.abort(new AppError("invalid_request"));
    this.#reportOutcome(current);
  }

  #begin(
    { name: given, size, id, folder }: Extract<UploadCommand, { type: "begin" }>,
    device: WatchedDevice,
    grant: Grant,
  ): void {
    const { uploads, instanceUuid, onAct } = this.#deps;
    const name = fileNameOf(given);
    try {
      if (this.#current) throw new AppError("INSTANCE_BUSY");
      if (name === undefined) throw new AppError("invalid_request");
      if (!device.files) throw new AppError("INSTANCE_NOT_ONLINE");
      const former = id === undefined ? undefined : uploads.find(instanceUuid, grant, id);
      const upload =
        former ?? uploads.begin({ instanceUuid, grant, id, name, folder, size, link: device.files, onAct });
      const current: Current = { upload, isDone: false };
      this.#current = current;
      upload.bringer?.yield();
      upload.bringer = this;
      void upload.outcome.then((outcome) => {
        current.outcome = outcome;
        this.#reportOutcome(current);
      });
      this.#socket.send(uploadMessages.next(id, upload.received));
    } catch (error) {
      this.#fail(id, error);
    }
  }

  #bring(bytes: Uint8Array, isEnd: boolean): void {
    const { upload, outcome } = this.#current ?? {};
    // What was on its way when it failed.
    if (!upload || outcome) return;
    if (!upload.push(bytes)) return this.end(farewells.badMessage());
    this.#device?.used(this.#deps.clock.monotonic());
    if (upload.isFull) this.#socket.pause();
    if (!isEnd) return;
    if (upload.size > 0) this.#socket.send(uploadMessages.progress(upload.id, upload.received / upload.size));
    this.#socket.send(uploadMessages.next(upload.id, upload.received));
  }

  /** Whoever follows the player's protocol says when it has sent all, and hears nothing before. */
  #reportOutcome(current: Current): void {
    const { upload, outcome, isDone } = current;
    if (!outcome || this.#current !== current) return;
    if ("error" in outcome) {
      this.#current = undefined;
      this.#socket.resume();
      this.#fail(upload.id, outcome.error);
      // A player that learns it before it has sent everything takes no other file until it has connected again.
      if (upload.id === undefined && !isDone) this.end(farewells.uploadFailed());
    } else if (isDone || upload.id !== undefined) {
      this.#current = undefined;
      this.#socket.send(uploadMessages.success(upload.id, outcome.app));
    }
  }

  #fail(id: string | undefined, error: unknown): void {
    const { code, details } = error instanceof AppError ? error : new AppError("SERVICE_UNAVAILABLE");
    this.#socket.send(uploadMessages.fail(id, { code, message: errors[code].message, details }));
  }
}

const notForThem = () => new Farewell(farewells.badMessage().code, "files are for the device's owner");
