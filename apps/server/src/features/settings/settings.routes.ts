import type { Clock } from "@terrarium/clock";
import { contract, openApiDocument, type PublicSettings, type settings } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import type { Actor } from "../sessions/actor.ts";

interface SettingsDeps {
  clock: Clock;
  publicSettings: Omit<PublicSettings, "sso_providers">;
  providers: { shown(): Promise<PublicSettings["sso_providers"]> };
}

export const settingsRoutes = ({
  clock,
  publicSettings,
  providers,
}: SettingsDeps): Handlers<typeof settings, Actor> => {
  const document = openApiDocument(contract, publicSettings.version);
  return {
    get: async () => ({
      ...publicSettings,
      sso_providers: await providers.shown(),
      time: new Date(clock.now()).toISOString(),
    }),
    openApi: () => document,
  };
};
