import type { Clock } from "@terrarium/clock";
import { basePath, contract, openApiDocument, type PublicSettings, type Route } from "@terrarium/contract";
import type { FastifyInstance } from "fastify";
import { apiTokenRoutes } from "../features/api-tokens/api-tokens.routes.ts";
import { hardwareProfileRoutes } from "../features/hardware-profiles/hardware-profiles.routes.ts";
import type { AccessTokens } from "../features/instances/access-tokens.ts";
import { instanceRoutes } from "../features/instances/instances.routes.ts";
import { startAttempts } from "../features/instances/start-instance.ts";
import { organizationRoutes } from "../features/organizations/organizations.routes.ts";
import { osImageRoutes } from "../features/os-images/os-images.routes.ts";
import { recipeRoutes } from "../features/recipes/recipes.routes.ts";
import { sessionGuard, type Sessions } from "../features/sessions/sessions.ts";
import { settingsRoutes } from "../features/settings/settings.routes.ts";
import { userRoutes } from "../features/users/users.routes.ts";
import { signInAttempts } from "../features/users/users.ts";
import type { Database } from "../database/schema.ts";
import { implement } from "../platform/http/implement.ts";
import { refuseOtherMethods } from "../platform/http/other-methods.ts";

export interface ApiDeps {
  db: Database;
  clock: Clock;
  sessions: Sessions;
  accessTokens: AccessTokens;
  /** Names of the runtimes this installation has. */
  runtimes: ReadonlySet<string>;
  publicSettings: PublicSettings;
  /** How callers reach the service, when that is not what their request says. */
  publicUrl: string | undefined;
}

/** Serves every route of the contract. */
export function serveApi(app: FastifyInstance, deps: ApiDeps): void {
  const service = { guard: sessionGuard(deps.sessions), publicUrl: deps.publicUrl };
  implement(app, contract.users, service, userRoutes({ ...deps, attempts: signInAttempts(deps.clock) }));
  implement(app, contract.organizations, service, organizationRoutes(deps));
  implement(app, contract.recipes, service, recipeRoutes({ ...deps, attempts: startAttempts(deps.clock) }));
  implement(app, contract.hardwareProfiles, service, hardwareProfileRoutes(deps));
  implement(app, contract.osImages, service, osImageRoutes(deps));
  implement(app, contract.instances, service, instanceRoutes(deps));
  implement(app, contract.apiTokens, service, apiTokenRoutes(deps));
  implement(app, contract.settings, service, settingsRoutes(deps.publicSettings));

  refuseOtherMethods(
    app,
    Object.values(contract).flatMap((table): Route[] => Object.values(table)),
  );

  const document = openApiDocument(contract, deps.publicSettings.version);
  app.get(`${basePath}/openapi.json`, () => document);
}
