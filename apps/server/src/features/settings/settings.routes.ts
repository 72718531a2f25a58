import type { Clock } from "@terrarium/clock";
import {
  contract,
  type CurrentSettings,
  nounTags,
  openApiDocument,
  type PublicSettings,
  type settings,
} from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import type { Handlers } from "../../platform/http/implement.ts";
import { currentOffer } from "../billing/prices.ts";
import { servedZones } from "../instances/gateways.ts";
import { findRelyingParty } from "../passkeys/relying-party.ts";
import type { Actor } from "../sessions/actor.ts";

/** What an installation is set up with; the rest follows from it. */
export type InstallationSettings = Omit<PublicSettings, "sso_providers" | "passkeys_at">;

interface SettingsDeps {
  db: Database;
  clock: Clock;
  publicSettings: InstallationSettings;
  /** The origin of the pages. */
  pagesAt: () => string;
  providers: { shown(): Promise<PublicSettings["sso_providers"]> };
}

/** Reads what anybody may know of this installation. */
export const currentSettings =
  ({ db, clock, publicSettings, pagesAt, providers }: SettingsDeps) =>
  async (): Promise<CurrentSettings> => ({
    ...publicSettings,
    offer: await currentOffer(db, publicSettings.offer),
    passkeys_at: findRelyingParty(pagesAt())?.origin ?? null,
    sso_providers: await providers.shown(),
    time: new Date(clock.now()).toISOString(),
    zones: await servedZones(db),
  });

export const settingsRoutes = (deps: SettingsDeps): Handlers<typeof settings, Actor> => {
  let document: ReturnType<typeof openApiDocument> | undefined;
  return {
    get: currentSettings(deps),
    // Written when somebody first asks: it takes tens of milliseconds, which every start would wait for.
    openApi: () => (document ??= openApiDocument(contract, nounTags, deps.publicSettings.version)),
  };
};
