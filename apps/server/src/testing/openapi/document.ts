import { readFileSync } from "node:fs";
import type { Route } from "@terrarium/contract";

/** A JSON Schema of the document, as far as it is read here. */
export interface Schema {
  $ref?: string;
  type?: string;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  propertyNames?: Schema;
  additionalProperties?: boolean | Schema;
}

interface Content {
  content?: Record<string, { schema: Schema }>;
}
export interface Response extends Content {
  description: string;
  headers?: Record<string, { $ref?: string; required?: boolean }>;
}
export interface Parameter {
  in: "path" | "query" | "header";
  name: string;
  required: boolean;
  schema: Schema;
}

/** One operation of the document, with where it stands. */
export interface Operation {
  operationId: string;
  tags: [string];
  method: Route["method"];
  /** With names in braces. */
  path: string;
  security: readonly object[];
  parameters: readonly Parameter[];
  requestBody?: Content & { required: boolean };
  responses: Record<string, Response>;
}

/** docs/openapi.json, which `npm run generate` makes of the contract. */
export const document = JSON.parse(
  readFileSync(new URL("../../../../../docs/openapi.json", import.meta.url), "utf8"),
) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
  tags: readonly { name: string }[];
};

export const operations: readonly Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    ...operation,
    method: method.toUpperCase() as Route["method"],
    path,
  })),
);

/** The schema that a reference leads to. */
export const resolved = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : (document.components.schemas[schema.$ref.replace(/^.*\//, "")] ?? {});

/** A JSON pointer into the document. */
export const pointer = (...parts: readonly string[]): string =>
  `#/${parts.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/")}`;
