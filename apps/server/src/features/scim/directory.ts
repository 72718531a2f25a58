import type { By } from "../audit/by.ts";
import type { Filter } from "./scim-filter.ts";
import type { ScimPage } from "./scim.store.ts";
import type { FeatureDeps } from "../deps.ts";

export interface ScimDeps extends FeatureDeps {
  /** The address of this service: `https://devices.example/cloud/scim/v2`. */
  base: () => string;
}

/** The directory of an organization, which sends a request. It sees this organization alone. */
export interface Directory {
  organization: string;
  by: By;
}

/** What a list is asked for. */
export interface ListQuery extends ScimPage {
  filter: Filter | undefined;
  /** Whether the members of groups are shown: there may be thousands. */
  withMembers: boolean;
}

/** A user or a group on the wire. */
export type Resource = { schemas: string[]; id: string } & Record<string, unknown>;

export interface Resources {
  count: number;
  results: Resource[];
}

export const USER = "urn:ietf:params:scim:schemas:core:2.0:User";
export const GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group";

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

/** An identifier in an address; undefined for what cannot be one. */
export const uuidOf = (id: string): string | undefined => (UUID.test(id.toLowerCase()) ? id.toLowerCase() : undefined);

/** The metadata of each resource. */
export const metaOf = (
  resourceType: "User" | "Group",
  base: string,
  { uuid, created_at, changed_at }: { uuid: string; created_at: Date; changed_at: Date | null },
) => ({
  resourceType,
  created: created_at.toISOString(),
  lastModified: (changed_at ?? created_at).toISOString(),
  location: `${base}/${resourceType}s/${uuid}`,
});
