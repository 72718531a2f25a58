import { contract, openApiDocument, type PublicSettings, type settings } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import type { Actor } from "../sessions/actor.ts";

interface SettingsDeps {
  publicSettings: Omit<PublicSettings, "sso_providers">;
  providers: { shown(): Promise<PublicSettings["sso_providers"]> };
}

export const settingsRoutes = ({ publicSettings, providers }: SettingsDeps): Handlers<typeof settings, Actor> => {
  const document = openApiDocument(contract, publicSettings.version);
  return {
    get: async () => ({ ...publicSettings, sso_providers: await providers.shown() }),
    openApi: () => document,
  };
};
