import type { organizations } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import type { Handlers } from "../../platform/http/implement.ts";
import type { Actor } from "../sessions/actor.ts";
import { getOrganization } from "./organizations.ts";

export const organizationRoutes = ({ db }: { db: Database }): Handlers<typeof organizations, Actor> => ({
  get: ({ actor, params }) => getOrganization(db, actor, params.uuid),
});
