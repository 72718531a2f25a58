import { parseConfirmation, WINDOW_BYTES } from "@terrarium/adb-tunnel";
import { type ToolHello, type ToolName, type ToolRequest, parseToolHello, parseToolRequest } from "@terrarium/player";
import type { DeviceAct } from "../../features/instances/device-acts.ts";
import type { Cleanup } from "../../platform/clean-up.ts";
import type { ByteConnection } from "../../platform/websocket/byte-socket.ts";
import { Farewell, farewells } from "../farewell.ts";
import { type Grant, Visitor, type VisitorDeps } from "../viewers/visitor.ts";
import type { WatchedDevice } from "../watched-device.ts";
import { openApps } from "./apps.ts";
import { openCaptures } from "./captures.ts";
import { openDownload, openFiles } from "./files.ts";
import { openLogcat } from "./logcat.ts";
import { openReplay, openStory } from "./replay.ts";
import { openShell } from "./shell.ts";
import { type OpenTool, type Tool, type ToolDeps, ToolError, toolErrorOf } from "./tool.ts";
import { openUiTree } from "./ui-tree.ts";

const tools: Record<ToolName, OpenTool> = {
  logcat: openLogcat,
  shell: openShell,
  files: openFiles,
  apps: openApps,
  captures: openCaptures,
  download: openDownload,
  replay: openReplay,
  story: openStory,
  ui: openUiTree,
};

/** What waits for a page that reads slower than its device talks. */
const MAX_UNREAD_BYTES = 256 * 1024;
/** Requests of one page that are under way; each is a command on the device. */
const MAX_REQUESTS = 4;

/** One page's socket for a tool: shows its token, and then works with the device until either leaves. */
export class ToolVisitor extends Visitor {
  readonly #socket: ByteConnection;
  readonly #deps: VisitorDeps;
  #hello: ToolHello | undefined;
  #device: WatchedDevice | undefined;
  #tool: Tool | undefined;
  #requests = 0;
  #sent = 0;
  /** Of what was sent, what the page has dealt with. */
  #taken = 0;
  #drained = Promise.withResolvers<void>();

  constructor(socket: ByteConnection, deps: VisitorDeps) {
    super(socket, deps);
    this.#socket = socket;
    this.#deps = deps;
  }

  /** Whoever may only watch from now on has no tools either, but still sees the screen. */
  override setControl(canControl: boolean): void {
    super.setControl(canControl);
    if (!canControl && !this.#isOfPicture) this.end(notForThem());
  }

  /** Shows no more than the picture does: it is for all who see that, and does not count as use of the device. */
  get #isOfPicture(): boolean {
    return this.#hello?.tool === "ui";
  }

  protected override take(text: string): boolean {
    if (!this.#hello) {
      this.#hello = parseToolHello(text);
      if (this.#hello) this.giveToken(this.#hello.token);
      return this.#hello !== undefined;
    }
    const taken = parseConfirmation(text);
    if (taken !== undefined) return this.#confirm(taken);
    const request = parseToolRequest(text);
    if (!request || !this.#tool) return false;
    this.#used();
    void this.#answer(this.#tool, request);
    return true;
  }

  protected override serve(device: WatchedDevice, grant: Grant, cleanup: Cleanup): void {
    if ((grant.role !== "owner" || grant.viewOnly) && !(this.#isOfPicture && grant.link === undefined))
      throw notForThem();
    const { tools: link } = device;
    if (!link || !this.#hello) throw farewells.notReady();
    const leave = device.enterTool(grant.role === "owner" ? undefined : grant.user);
    if (!leave) throw new Farewell(farewells.notReady().code, "too many tools");
    cleanup.add(async () => leave());
    this.#device = device;
    device.over.addEventListener("abort", () => this.end(device.over.reason as Farewell), {
      once: true,
      signal: this.over,
    });
    this.#socket.listenBytes({
      onBytes: (bytes) => this.#type(bytes),
      onText: (text) => this.hear(text),
      onDrain: () => this.#goOn(),
    });
    this.over.addEventListener("abort", () => this.#goOn(), { once: true });
    this.#used();
    const onAct = (act: DeviceAct) => this.#deps.onAct(grant, act);
    void this.#run(this.#hello, { link, onAct, replay: device.replay, captures: device.capturesOf(grant) });
  }

  /** Opens the tool, and waits until it is over. */
  async #run(
    { tool, path }: ToolHello,
    device: Pick<ToolDeps, "link" | "onAct" | "replay" | "captures">,
  ): Promise<void> {
    const send = (bytes: Uint8Array) => this.#send(bytes);
    try {
      this.#tool = await tools[tool]({ ...device, clock: this.#deps.clock, signal: this.over, path, send });
      this.#say({ type: "READY" });
      this.#say({ type: "END", ...(await this.#tool.over) });
    } catch (error) {
      if (this.over.aborted) return;
      this.#say({ type: "FAIL", error: this.#errorOf(error) });
    }
    this.end(new Farewell(DONE, "the tool has ended"));
  }

  async #answer(tool: Tool, request: ToolRequest): Promise<void> {
    try {
      if (this.#requests >= MAX_REQUESTS) throw new ToolError("busy");
      if (!tool.answer) throw new ToolError("invalid");
      this.#requests++;
      const answer = await tool.answer(request).finally(() => this.#requests--);
      this.#say({ ...answer, id: request.id });
    } catch (error) {
      if (!this.over.aborted) this.#say({ id: request.id, error: this.#errorOf(error) });
    }
  }

  /** What is typed waits until the device has taken what was typed before. */
  #type(bytes: Uint8Array): void {
    if (!this.#tool?.type) return this.end(farewells.badMessage());
    this.#used();
    this.#socket.pause();
    this.#tool.type(bytes).then(
      () => this.#socket.resume(),
      // It has ended, which is reported where it is awaited.
      () => this.#socket.resume(),
    );
  }

  async #send(bytes: Uint8Array): Promise<void> {
    this.over.throwIfAborted();
    this.#socket.sendBytes(bytes);
    this.#sent += bytes.length;
    const isAhead = () => this.#socket.unread > MAX_UNREAD_BYTES || this.#sent - this.#taken > WINDOW_BYTES;
    while (isAhead() && !this.over.aborted) await this.#drained.promise;
    this.over.throwIfAborted();
  }

  #confirm(taken: number): boolean {
    if (taken < this.#taken || taken > this.#sent) return false;
    this.#taken = taken;
    this.#goOn();
    return true;
  }

  #goOn(): void {
    this.#drained.resolve();
    this.#drained = Promise.withResolvers();
  }

  #say(message: object): void {
    if (!this.over.aborted) this.#socket.send(JSON.stringify(message));
  }

  #errorOf(error: unknown): object {
    const known = toolErrorOf(error);
    if (!known) this.#deps.log.warn({ err: error }, "a tool could not do what it was asked to");
    return { code: known?.code ?? "failed", words: known?.words };
  }

  #used(): void {
    if (!this.#isOfPicture) this.#device?.used(this.#deps.clock.monotonic());
  }
}

const DONE = 1000;
const notForThem = () => new Farewell(farewells.badMessage().code, "tools are for the device's owner");
