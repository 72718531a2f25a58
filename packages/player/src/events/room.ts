import { member, numberWithin, textWithin, type Json } from "../json.ts";
import { MAX_USER_CHARS } from "../limits.ts";

/** A place in the picture: 0, 0 is its upper left corner and 1, 1 its lower right one, whatever its size. */
export interface Place {
  x: number;
  y: number;
}

/** What pages of ours say to the others at a device. The vendor's player says none of it. */
export type RoomCommand = { type: "room" } & (
  | { what: "join" }
  /** Where their pointer is; nowhere when it has left the picture. */
  | { what: "point"; at: Place | undefined }
  | { what: "hand"; isUp: boolean }
  /** The owner declines to hand over control to this user, who has asked for it. */
  | { what: "decline"; user: string }
);

/** Parses `{"type":"ROOM",...}`; undefined when no page sends such a message. */
export function parseRoom(object: Json): RoomCommand | undefined {
  if (member(object, "type") !== "ROOM") return undefined;
  switch (member(object, "what")) {
    case "join":
      return { type: "room", what: "join" };
    case "point": {
      if (!Object.hasOwn(object, "x")) return { type: "room", what: "point", at: undefined };
      const x = numberWithin(member(object, "x"), 0, 1);
      const y = numberWithin(member(object, "y"), 0, 1);
      return x === undefined || y === undefined ? undefined : { type: "room", what: "point", at: { x, y } };
    }
    case "hand": {
      const isUp = member(object, "up");
      return typeof isUp === "boolean" ? { type: "room", what: "hand", isUp } : undefined;
    }
    case "decline": {
      const user = textWithin(member(object, "user"), MAX_USER_CHARS);
      return user === undefined ? undefined : { type: "room", what: "decline", user };
    }
    default:
      return undefined;
  }
}
