import type { Route } from "@terrarium/contract";
import { z } from "zod";
import { refusal } from "./fields.ts";

/** A call as a client makes it, and what the client does with the answer. */
export interface Call {
  /** What it is for, in the client's own words. */
  does: string;
  /** Method, and path below `/cloud`. `{name}` stands for a value that an earlier call saved. */
  sends: `${Route["method"]} /${string}`;
  /** As JSON; none if not given. `{name}` as in the path. */
  body?: object;
  /** The one status that the client takes for success, or for the refusal that it knows. */
  status: number;
  /** The fields that it reads, with their types. Others may be there. */
  reads?: z.ZodType;
  /** What it remembers: a name, and where that is in the answer. `token` is sent from then on; `email` and `password` are there. */
  saves?: Record<string, string>;
}

/** Something that happens to the device meanwhile. */
export interface Happens {
  happens: "comes online" | "is gone";
}

/** A program of somebody else that speaks the API, and a whole session of it. */
export interface Client {
  name: string;
  /** What proves who calls: an API token, or the token of a session, which it has to begin, unless it is a page that was given one. */
  credential: "api token" | "session";
  /** What it sends with every call besides. */
  headers: Record<string, string>;
  /** The origin of its page, if it is one: browsers ask before they send, and hide answers that do not say who may read them. */
  origin?: string;
  role?: "manager";
  session: readonly (Call | Happens)[];
}

/** Begins a session. */
export const signIn: Call = {
  does: "signs in",
  sends: "POST /v1/users/login",
  body: { email: "{email}", password: "{password}" },
  status: 200,
  reads: z.looseObject({ token: z.string().min(1) }),
  saves: { token: "token" },
};
export const isRefused: Call = {
  ...signIn,
  does: "signs in with a wrong password",
  body: { email: "{email}", password: "wrong horse 1" },
  status: 401,
  reads: refusal("BAD_USERNAME_PASSWORD"),
  saves: {},
};
