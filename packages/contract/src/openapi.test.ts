import { describe, expect, it } from "vitest";
import { contract, openApiDocument } from "./index.ts";

describe("OpenAPI document", () => {
  const document = openApiDocument(contract, "0.0.0") as {
    paths: Record<string, Record<string, Record<string, unknown>>>;
  };

  it("has every route of the contract", () => {
    const operations = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map((one) => one.operationId),
    );
    const routes = Object.entries(contract).flatMap(([noun, table]) =>
      Object.keys(table).map((verb) => `${noun}.${verb}`),
    );
    expect(new Set(operations)).toEqual(new Set(routes));
  });

  it("names parameters, the body and the codes a call may fail with", () => {
    const start = document.paths["/cloud/v1/recipes/{uuid}/start-disposable"]?.post;
    expect(start?.parameters).toMatchObject([
      { in: "path", name: "uuid", required: true },
      { in: "header", name: "Idempotency-Key" },
    ]);
    expect(JSON.stringify(start?.requestBody)).toContain("rename_on_conflict");
    expect(JSON.stringify(start?.responses)).toContain("TOO_MANY_RUNNING_VDS");
  });
});
