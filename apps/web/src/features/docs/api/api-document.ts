import { client } from "../../../session/client.ts";
import type { DocSection } from "../doc-section.ts";
import type { Schema } from "./schema-text.ts";

/** What the page reads of the OpenAPI document. */
export interface ApiDocument {
  info: { description: string };
  tags: { name: string; "x-displayName"?: string; description?: string }[];
  paths: Record<string, Record<string, Omit<Operation, "method" | "path">>>;
  components: { schemas: Record<string, Schema> };
}

export interface Parameter {
  in: "path" | "query" | "header";
  name: string;
  required: boolean;
  description?: string;
  schema: Schema;
}

type Content = Record<string, { schema?: Schema }>;

export interface Operation {
  method: string;
  path: string;
  operationId: string;
  tags: string[];
  summary: string;
  /** Empty where no token is needed. */
  security: { bearer?: []; apiToken?: string[] }[];
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, { description: string; content?: Content }>;
}

export const apiDocument = {
  queryKey: ["docs", "api document"] as const,
  queryFn: async () => (await client.settings.openApi()) as unknown as ApiDocument,
  staleTime: Number.POSITIVE_INFINITY,
};

/** The operations by what they are about, in the order of the document. */
export function operationsByTag({ tags, paths }: ApiDocument) {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
  );
  return tags
    .map(({ name, description, "x-displayName": title = name }) => ({
      id: name,
      title,
      description,
      operations: all.filter((operation) => operation.tags.includes(name)),
    }))
    .filter(({ operations }) => operations.length > 0);
}

/** Its codes of errors, each with what it means. */
export const failuresOf = ({ responses }: Operation) =>
  Object.entries(responses).flatMap(([status, { description }]) =>
    Array.from(description.matchAll(/`(\w+)`: ([^`]*)(?= `|$)/g), ([, code = "", message = ""]) => ({
      status,
      code,
      message,
    })),
  );

/** The page as its contents list it, and as it is searched. */
export async function loadApiSections(): Promise<{ sections: readonly DocSection[] }> {
  const document = await apiDocument.queryFn();
  const sections = operationsByTag(document).flatMap(({ id, title, operations }) => [
    { id, title, level: 2, html: "" },
    ...operations.map(({ operationId, summary, method, path, parameters }) => {
      const words = [method, path, ...parameters.map(({ name }) => name)];
      return { id: operationId, title: summary.replaceAll("`", ""), level: 3, html: words.join(" ") };
    }),
  ]);
  return { sections: [{ id: "http-api", title: "HTTP API", level: 1, html: "" }, ...sections] };
}
