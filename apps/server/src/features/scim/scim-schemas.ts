import { GROUP, USER } from "./directory.ts";

const LIST = "urn:ietf:params:scim:api:messages:2.0:ListResponse";

/** The most of a list in one reply. */
export const MAX_RESULTS = 200;

export const listOf = (resources: readonly object[], totalResults = resources.length, startIndex = 1) => ({
  schemas: [LIST],
  totalResults,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
});

/** What the service can do (RFC 7643, section 5). */
export const serviceProviderConfig = (base: string) => ({
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MAX_RESULTS },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: "oauthbearertoken",
      name: "Provisioning token",
      description: "A token that a manager makes in the settings of the organization, as Bearer",
      specUri: "https://www.rfc-editor.org/info/rfc6750",
      primary: true,
    },
  ],
  meta: { resourceType: "ServiceProviderConfig", location: `${base}/ServiceProviderConfig` },
});

const type = (base: string, name: string, schema: string) => ({
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"],
  id: name,
  name,
  endpoint: `/${name}s`,
  description: name === "User" ? "A member of the organization" : "A group of members",
  schema,
  schemaExtensions: [],
  meta: { resourceType: "ResourceType", location: `${base}/ResourceTypes/${name}` },
});

export const resourceTypes = (base: string) => [type(base, "User", USER), type(base, "Group", GROUP)];

interface Attribute {
  name: string;
  description: string;
  type?: "string" | "boolean" | "complex" | "reference" | "dateTime";
  multiValued?: boolean;
  required?: boolean;
  caseExact?: boolean;
  mutability?: "readOnly" | "readWrite" | "immutable";
  uniqueness?: "none" | "server";
  referenceTypes?: string[];
  canonicalValues?: string[];
  subAttributes?: Attribute[];
}

/** An attribute with what the protocol wants to be said of each. */
function attribute({ subAttributes, ...given }: Attribute): object {
  const { type: kind = "string" } = given;
  return {
    type: kind,
    multiValued: false,
    required: false,
    mutability: "readWrite",
    returned: "default",
    ...(kind === "complex" ? {} : { uniqueness: "none" }),
    ...(kind === "string" ? { caseExact: false } : {}),
    ...(kind === "reference" ? { caseExact: true } : {}),
    ...given,
    ...(subAttributes && { subAttributes: subAttributes.map(attribute) }),
  };
}

const externalId: Attribute = {
  name: "externalId",
  description: "What the directory knows it by",
  caseExact: true,
};

const userAttributes: Attribute[] = [
  {
    name: "userName",
    description: "What the directory calls the user: unique in the organization, whatever its case",
    required: true,
    uniqueness: "server",
  },
  externalId,
  {
    name: "name",
    description: "The parts of the user's name",
    type: "complex",
    subAttributes: [
      { name: "givenName", description: "The first name" },
      { name: "familyName", description: "The last name" },
    ],
  },
  { name: "active", description: "Whether the user can sign in", type: "boolean" },
  {
    name: "emails",
    description: "The address of the account, at the domain of the organization's provider. It is given once",
    type: "complex",
    multiValued: true,
    mutability: "immutable",
    subAttributes: [
      { name: "value", description: "The address", mutability: "immutable", uniqueness: "server" },
      { name: "type", description: "Always work", mutability: "immutable", canonicalValues: ["work"] },
      { name: "primary", description: "Always true", type: "boolean", mutability: "immutable" },
    ],
  },
  {
    name: "groups",
    description: "The groups that the user is in",
    type: "complex",
    multiValued: true,
    mutability: "readOnly",
    subAttributes: [
      { name: "value", description: "The id of the group", mutability: "readOnly" },
      { name: "display", description: "Its name", mutability: "readOnly" },
      {
        name: "$ref",
        description: "Its address",
        type: "reference",
        mutability: "readOnly",
        referenceTypes: ["Group"],
      },
    ],
  },
];

const groupAttributes: Attribute[] = [
  {
    name: "displayName",
    description: "The name of the group, unique in the organization, whatever its case",
    required: true,
    uniqueness: "server",
  },
  externalId,
  {
    name: "members",
    description: "The users in the group itself",
    type: "complex",
    multiValued: true,
    subAttributes: [
      { name: "value", description: "The id of the user", mutability: "immutable", caseExact: true },
      { name: "type", description: "Always User", mutability: "immutable", canonicalValues: ["User"] },
      {
        name: "$ref",
        description: "The address of the resource",
        type: "reference",
        mutability: "immutable",
        referenceTypes: ["User"],
      },
    ],
  },
];

const schema = (base: string, id: string, name: string, attributes: Attribute[]) => ({
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:Schema"],
  id,
  name,
  description: `A ${name.toLowerCase()}`,
  attributes: attributes.map(attribute),
  meta: { resourceType: "Schema", location: `${base}/Schemas/${id}` },
});

export const schemas = (base: string) => [
  schema(base, USER, "User", userAttributes),
  schema(base, GROUP, "Group", groupAttributes),
];
