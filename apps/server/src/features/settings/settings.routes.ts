import { contract, openApiDocument, type PublicSettings, type settings } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import type { Actor } from "../sessions/actor.ts";

export const settingsRoutes = (publicSettings: PublicSettings): Handlers<typeof settings, Actor> => {
  const document = openApiDocument(contract, publicSettings.version);
  return { get: () => publicSettings, openApi: () => document };
};
