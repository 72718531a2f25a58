import type { Clock } from "@terrarium/clock";

/** Where somebody else's pointer is, as parts of the picture's size, so that it is at the same thing on every screen. */
export interface RoomPointer {
  /** Of one page of theirs: they may have several. */
  viewer: number;
  /** Their uuid. */
  user: string;
  x: number;
  y: number;
}

/** What a page does with the others at its device. */
export interface Room {
  /** The uuids of those who watch. */
  here: readonly string[];
  /** The uuids of those who ask for control. */
  hands: readonly string[];
  /** Asks for control, or takes that back. */
  raise: (isUp: boolean) => void;
  /** The owner declines to hand over control to a user who asks for it. */
  decline: (user: string) => void;
}

/** Until there is a picture. */
export const emptyRoom: Room = { here: [], hands: [], raise: () => undefined, decline: () => undefined };

/** After that long at rest a pointer is gone. */
const REST_MS = 3_000;
/** A little longer than it need be for the 20 a second that the service takes of one page. */
const SEND_MS = 55;

/** The pointers of others, each until it has come to rest. */
export class RoomPointers {
  readonly #clock: Clock;
  readonly #onChange: (pointers: readonly RoomPointer[]) => void;
  readonly #shown = new Map<number, { pointer: RoomPointer; rest: AbortController }>();

  constructor(clock: Clock, onChange: (pointers: readonly RoomPointer[]) => void) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  /** One that is nowhere is gone. */
  place({ viewer, user, x, y }: Partial<RoomPointer>): void {
    if (typeof viewer !== "number") return;
    this.#shown.get(viewer)?.rest.abort();
    this.#shown.delete(viewer);
    if (typeof user === "string" && typeof x === "number" && typeof y === "number") {
      const rest = new AbortController();
      this.#shown.set(viewer, { pointer: { viewer, user, x, y }, rest });
      this.#clock.sleep(REST_MS, rest.signal).then(
        () => this.place({ viewer }),
        () => undefined,
      );
    }
    this.#onChange([...this.#shown.values()].map(({ pointer }) => pointer));
  }

  clear(): void {
    for (const viewer of this.#shown.keys()) this.place({ viewer });
  }
}

/** Sends the others where one's pointer is: at most every 55 ms, and always where it was last. */
export class OwnPointer {
  readonly #clock: Clock;
  readonly #send: (message: object) => void;
  #next: { x: number; y: number } | "gone" | undefined;
  #isWaiting = false;

  constructor(clock: Clock, send: (message: object) => void) {
    this.#clock = clock;
    this.#send = send;
  }

  move(to: { x: number; y: number } | "gone"): void {
    this.#next = to;
    if (!this.#isWaiting) void this.#sendPlace();
  }

  async #sendPlace(): Promise<void> {
    this.#isWaiting = true;
    while (this.#next) {
      const at = this.#next;
      this.#next = undefined;
      this.#send({ type: "ROOM", what: "point", ...(at !== "gone" && at) });
      await this.#clock.sleep(SEND_MS);
    }
    this.#isWaiting = false;
  }
}
