import { describe, expect, it } from "vitest";
import type { Operation } from "./api-document.ts";
import { bodyOf, curlOf, missingOf, requestOf } from "./request-of.ts";

const operation: Operation = {
  method: "POST",
  path: "/cloud/v1/things/{uuid}",
  operationId: "things.make",
  tags: ["things"],
  summary: "Make a thing",
  security: [{ bearer: [] }, { apiToken: ["devices"] }],
  parameters: [
    { in: "path", name: "uuid", required: true, schema: { type: "string" } },
    { in: "query", name: "state", required: false, schema: { type: "array", items: { type: "string" } } },
    { in: "query", name: "search", required: false, schema: { type: "string" } },
    { in: "header", name: "Idempotency-Key", required: false, schema: { type: "string" } },
  ],
  requestBody: { required: true, content: { "application/json": { schema: {} } } },
  responses: {},
};
const origin = "https://devices.example.com";
const empty = { values: {}, body: "", file: undefined };
const filled = {
  values: { uuid: "a/../b", state: "ONLINE, BOOTING", search: "a,b", "Idempotency-Key": "k1" },
  body: `{ "it's": 1 }`,
  file: undefined,
};

describe("a request that is tried", () => {
  it("has each part in its place, and none leads elsewhere", () =>
    expect(requestOf(operation, filled, origin)).toEqual({
      method: "POST",
      url: `${origin}/cloud/v1/things/a%2F..%2Fb?state=ONLINE&state=BOOTING&search=a%2Cb`,
      headers: { "Idempotency-Key": "k1", "content-type": "application/json" },
      body: filled.body,
    }));

  it("has nothing that was not filled in, and says what is missing", () => {
    expect(requestOf(operation, empty, origin)).toMatchObject({ headers: {}, body: undefined });
    expect(missingOf(operation, empty)).toEqual(["uuid"]);
    expect(missingOf(operation, filled)).toEqual([]);
  });

  it("is a command for a terminal, in which nothing of it can end the quotes", () =>
    expect(curlOf(operation, filled, origin)).toBe(
      [
        `curl -X POST '${origin}/cloud/v1/things/a%2F..%2Fb?state=ONLINE&state=BOOTING&search=a%2Cb'`,
        '-H "x-api-token: $TERRARIUM_API_TOKEN"',
        "-H 'Idempotency-Key: k1'",
        "-H 'content-type: application/json'",
        `-d '{ "it'\\''s": 1 }'`,
      ].join(" \\\n  "),
    ));

  it("sends a file as it is, and no forms", () => {
    const file = new File(["app"], "app.apk");
    const install = { ...operation, requestBody: { required: true, content: { "application/octet-stream": {} } } };
    expect(requestOf(install, { ...filled, file }, origin)).toMatchObject({ body: file });
    expect(curlOf(install, { ...filled, file }, origin)).toContain("--data-binary '@app.apk'");
    expect(bodyOf({ ...operation, requestBody: { required: true, content: { "multipart/form-data": {} } } })).toBe(
      undefined,
    );
  });
});
