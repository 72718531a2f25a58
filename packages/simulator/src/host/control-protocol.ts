import type { AdbAddress, MachineRef, MachineSpec } from "@terrarium/runtime";

/**
 * How a server talks to the host process: a Unix socket, JSON objects, one a line, in UTF-8. Either side closes when
 * the other says something else. Several requests may be under way; answers bear the number of their request.
 *
 *   client  {"version":3,"number":7,"ask":"start","spec":{...}}
 *   host    {"number":7,"answer":{"id":"...","boot":1,"adb":{"host":"127.0.0.1","port":40000}}}
 *   host    {"number":7,"error":{"code":"NO_SLOT","message":"..."}}
 *   host    {"started":{"id":"...","boot":1,"adb":{...}}}      after `watch`: what runs, then whenever a device starts
 *   host    {"gone":{"id":"...","boot":1,"reason":"..."}}      after `watch`: whenever a device ends
 *
 * A connection that has asked to `watch` counts as somebody who looks after the devices. A host without one ends itself
 * after a while.
 */
export const CONTROL_VERSION = 3;

/** A request is a few hundred bytes; a longer line than this is not one. */
export const MAX_LINE_BYTES = 256 * 1024;

export interface HostedMachine extends MachineRef {
  adb: AdbAddress;
}

export interface Asks {
  /** Of the spec's layers the last is enough: it names the others. All of them must be in the folder while the device runs. */
  start: { asks: { spec: MachineSpec; layerFolder?: string | undefined }; answer: HostedMachine };
  /** Without a boot, whichever is running. */
  stop: { asks: { id: string; boot?: number }; answer: { stopped: boolean } };
  /**
   * Answered when what is to be saved is in a folder: each new layer in a file of its name, and a list of the whole stack in `stack.json`.
   * The device stands still until `endSave`, or until the connection closes.
   */
  save: { asks: MachineRef; answer: { folder: string } };
  /** Also ends a save that has not been answered. */
  endSave: { asks: MachineRef; answer: { ended: true } };
  /** The answer follows the news of all that runs. */
  watch: { asks: object; answer: { maxDevices: number } };
  /** Answered by a host whose event loop turns. */
  ping: { asks: object; answer: { alive: true } };
  /** Ends all devices and the process. */
  shutdown: { asks: object; answer: { ending: true } };
}

export type Request = {
  [Name in keyof Asks]: { version: number; number: number; ask: Name } & Asks[Name]["asks"];
}[keyof Asks];

export type HostErrorCode = "NO_SLOT" | "STALE_BOOT" | "BAD_REQUEST" | "FAILED" | "LAYER_DAMAGED" | "ENDING";

/** What the host refuses. */
export class HostError extends Error {
  override readonly name = "HostError";
  readonly code: HostErrorCode;
  constructor(code: HostErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export interface Gone extends MachineRef {
  reason: string;
}

/** The events for a connection that watches. */
export interface Watcher {
  started(machine: HostedMachine): void;
  gone(gone: Gone): void;
}

export type Reply =
  | { number: number; answer: unknown }
  | { number: number; error: { code: HostErrorCode; message: string } }
  | { started: HostedMachine }
  | { gone: Gone };
