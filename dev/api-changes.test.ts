import { describe, expect, it } from "vitest";
import { type ApiDocument, apiChanges, withChanges } from "./api-changes.ts";

const schemas = { Place: { properties: { latitude: {}, longitude: {} }, required: ["latitude"] } };
const place = { $ref: "#/components/schemas/Place" };
const json = (schema: object) => ({ content: { "application/json": { schema: schema as Record<string, unknown> } } });
const operation = (
  summary: string,
  body: object,
  answer: object,
  parameters: { name: string; required: boolean }[] = [],
) => ({
  summary,
  parameters,
  requestBody: json(body),
  responses: { 200: json(answer), 404: json(place) },
});
const aDocument = (paths: ApiDocument["paths"]): ApiDocument => ({ paths, components: { schemas } });
const fields = (names: string[], required: string[] = []) => ({
  properties: Object.fromEntries(names.map((name) => [name.replace("!", ""), name.endsWith("!") ? place : {}])),
  required,
});

describe("the changes of the API", () => {
  it("are none between a document and itself", () => {
    const same = aDocument({ "/a": { get: operation("A", fields(["one"]), { items: place }) } });
    expect(apiChanges(same, structuredClone(same))).toEqual([]);
  });

  it("say what came and what went, what is within in one with it, and what several have in common once", () => {
    const before = aDocument({
      "/a": { get: operation("A", fields(["one", "old"]), { items: fields(["was"]) }) },
      "/b": { post: operation("B", fields(["one", "old"]), { items: fields(["was"]) }) },
      "/gone": { delete: operation("Gone", {}, {}) },
    });
    const after = aDocument({
      "/a": { get: operation("A", fields(["one", "at!"]), { items: fields(["is"]) }) },
      "/b": { post: operation("B", fields(["one", "at!"]), { items: fields(["is"]) }) },
      "/new": { put: operation("Does it", {}, {}) },
    });
    expect(apiChanges(before, after)).toEqual([
      "New: `PUT /new`. Does it.",
      "**Gone: `DELETE /gone`.**",
      "New in the request of `GET /a`, `POST /b`: `at`.",
      "**Gone from the request of `GET /a`, `POST /b`: `old`.**",
      "New in the answer of `GET /a`, `POST /b`: `is`.",
      "**Gone from the answer of `GET /a`, `POST /b`: `was`.**",
    ]);
  });

  it("say in bold what must be sent from now on", () => {
    const before = aDocument({ "/a": { get: operation("A", fields(["one"]), {}) } });
    const after = aDocument({
      "/a": { get: operation("A", fields(["one"], ["one"]), {}, [{ name: "page", required: true }]) },
    });
    expect(apiChanges(before, after)).toEqual(["**Needed in the request of `GET /a`: `page`, `one`.**"]);
  });

  it("are written under their day, the newest first", () => {
    const page = "# API changes\n\nWords.\n\n## 2026-01-01\n\n- Old.\n";
    const later = withChanges(page, ["One."], "2026-01-02");
    expect(later).toBe("# API changes\n\nWords.\n\n## 2026-01-02\n\n- One.\n\n## 2026-01-01\n\n- Old.\n");
    expect(withChanges(later, ["Two."], "2026-01-02")).toContain("## 2026-01-02\n\n- Two.\n- One.\n");
    expect(withChanges(page, [], "2026-01-02")).toBe(page);
    expect(withChanges("# API changes\n", ["One."], "2026-01-02")).toBe("# API changes\n\n## 2026-01-02\n\n- One.\n");
  });
});
