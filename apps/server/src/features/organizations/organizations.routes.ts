import type { organizations } from "@terrarium/contract";
import type { Kysely } from "kysely";
import type { Schema } from "../../platform/db/schema.ts";
import type { Handlers } from "../../platform/http/implement.ts";
import type { Actor } from "../sessions/actor.ts";
import { getOrganization } from "./organizations.ts";

export const organizationRoutes = ({ db }: { db: Kysely<Schema> }): Handlers<typeof organizations, Actor> => ({
  get: ({ actor, params }) => getOrganization(db, actor, params.uuid),
});
