import {
  declinedMessage,
  handsMessage,
  type Place,
  pointerMessage,
  recordedMessage,
  type RecordingEnd,
  recordingMessage,
  type RoomCommand,
} from "@terrarium/player";
import { RateWindow } from "./rate-window.ts";
import type { Grant } from "./viewers/visitor.ts";

/** As many places a second as pages send of a pointer. */
const MAX_PLACES = 20;
const PLACES_MS = 1_000;
/** Each is a notice to the owner. */
const MAX_HANDS = 6;
const HANDS_MS = 60_000;

interface Member {
  user: string;
  send: (message: string) => void;
  places: RateWindow;
  isPointing: boolean;
}

/** Who speaks, and how they are reached. */
export interface Speaker {
  /** The viewer's number, unique on this device. */
  viewer: number;
  grant: Pick<Grant, "user" | "role" | "viewOnly">;
  send: (message: string) => void;
  /** By a monotonic clock, in ms. */
  now: number;
}

/**
 * Those at one device whose pages show each other's pointers and who asks for control. Pages that did not say that they can, as the vendor's
 * player, hear nothing of it. What is too much is dropped.
 */
export class Room {
  readonly #members = new Map<number, Member>();
  /** The users who ask for control. */
  readonly #hands = new Set<string>();
  /** Since when what is seen is being recorded. */
  #recordingSince: number | undefined;
  /** How often each has asked: whoever comes back does not begin anew. */
  readonly #asked = new Map<string, RateWindow>();

  handle(command: RoomCommand, { viewer, grant, send, now }: Speaker): void {
    const member = this.#members.get(viewer);
    if (command.what === "join") {
      if (!member) this.#join(viewer, { user: grant.user, send, now });
    } else if (member) {
      if (command.what === "point") this.#point(viewer, member, command.at, now);
      else if (command.what === "decline") this.#decline(grant, command.user);
      else if (command.isUp) this.#raise(grant, now);
      else this.lower(grant.user);
    }
  }

  leave(viewer: number): void {
    const member = this.#members.get(viewer);
    if (!member) return;
    this.#place(viewer, member, undefined);
    this.#members.delete(viewer);
    if (![...this.#members.values()].some(({ user }) => user === member.user)) this.lower(member.user);
  }

  /** They take back what they asked for, or were given it. */
  lower(user: string): void {
    if (this.#hands.delete(user)) this.#broadcastHands();
  }

  /** Broadcasts, also to those who come later, since when a recording runs; if undefined, that none does. */
  record(since: number | undefined, now: number): void {
    this.#recordingSince = since;
    this.#broadcast(recordingMessage(since === undefined ? undefined : now - since));
  }

  /** Broadcasts how a recording has ended. */
  notifyRecorded(why: RecordingEnd, isKept: boolean): void {
    this.#broadcast(recordedMessage(why, isKept));
  }

  #join(viewer: number, { user, send, now }: { user: string; send: Member["send"]; now: number }): void {
    this.#members.set(viewer, { user, send, places: new RateWindow(PLACES_MS), isPointing: false });
    if (this.#recordingSince !== undefined) send(recordingMessage(now - this.#recordingSince));
    if (this.#hands.size > 0) send(handsMessage(this.#hands));
  }

  #point(viewer: number, member: Member, at: Place | undefined, now: number): void {
    if (at === undefined || member.places.add(1, now) <= MAX_PLACES) this.#place(viewer, member, at);
  }

  /** Sends the others where a pointer is, or that it is gone. */
  #place(viewer: number, member: Member, at: Place | undefined): void {
    if (at === undefined && !member.isPointing) return;
    member.isPointing = at !== undefined;
    const message = pointerMessage(viewer, member.user, at);
    for (const { user, send } of this.#members.values()) if (user !== member.user) send(message);
  }

  /** Only who may not touch has something to ask for. */
  #raise({ user, viewOnly }: Speaker["grant"], now: number): void {
    if (!viewOnly || this.#hands.has(user)) return;
    const asked = this.#asked.get(user) ?? new RateWindow(HANDS_MS);
    this.#asked.set(user, asked);
    if (asked.add(1, now) > MAX_HANDS) return;
    this.#hands.add(user);
    this.#broadcastHands();
  }

  #decline({ role }: Speaker["grant"], asker: string): void {
    if (role !== "owner" || !this.#hands.has(asker)) return;
    this.lower(asker);
    for (const { user, send } of this.#members.values()) if (user === asker) send(declinedMessage());
  }

  #broadcastHands(): void {
    this.#broadcast(handsMessage(this.#hands));
  }

  #broadcast(message: string): void {
    for (const { send } of this.#members.values()) send(message);
  }
}
