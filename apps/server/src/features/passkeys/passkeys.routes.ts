import type { passkeys } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import type { Actor } from "../sessions/actor.ts";
import { confirmWithPasskey, requestConfirmation } from "./confirm-with-passkey.ts";
import { addPasskey, beginToAdd, getPasskeys, type PasskeyDeps, removePasskey, renamePasskey } from "./passkeys.ts";
import { addRequiredPasskey, beginRequiredPasskey } from "./required-passkey.ts";
import { requestPasskey, signInWithPasskey } from "./sign-in-with-passkey.ts";

export const passkeyRoutes = (deps: PasskeyDeps): Handlers<typeof passkeys, Actor> => ({
  list: (call) => getPasskeys(deps, call),
  addOptions: (call) => beginToAdd(deps, call),
  add: (call) => addPasskey(deps, call),
  rename: (call) => renamePasskey(deps, call),
  remove: (call) => removePasskey(deps, call),
  signInOptions: async () => requestPasskey(deps, ["sign in"]),
  confirmOptions: ({ body }) => requestConfirmation(deps, body.ticket),
  confirm: ({ body, ...from }) => confirmWithPasskey(deps, body, from),
  requiredOptions: ({ body }) => beginRequiredPasskey(deps, body.ticket),
  addRequired: ({ body, ...from }) => addRequiredPasskey(deps, body, from),
  signIn: ({ body, ...from }) => signInWithPasskey(deps, body, from),
});
