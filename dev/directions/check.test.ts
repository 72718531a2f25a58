import { describe, expect, it } from "vitest";
import { brokenRules, type Workspace } from "./check.ts";

const workspace = (folder: string, name: string, ...needs: string[]): Workspace => ({
  folder,
  name,
  needs: new Set(needs),
});
const workspaces = [
  workspace("", "terrarium", "vitest"),
  workspace(
    "apps/server",
    "@terrarium/server",
    "@terrarium/contract",
    "@terrarium/scrcpy",
    "@terrarium/runtime-simulator",
    "@terrarium/mcp",
    "@modelcontextprotocol/server",
    "pg",
  ),
  workspace("apps/web", "@terrarium/web", "@terrarium/contract", "@terrarium/adb", "react"),
  workspace("packages/contract", "@terrarium/contract", "zod", "pg"),
  workspace("packages/sdk", "@terrarium/sdk", "@terrarium/contract", "socket.io-client", "zod"),
  workspace("packages/adb", "@terrarium/adb"),
  workspace("packages/scrcpy", "@terrarium/scrcpy"),
  workspace("packages/runtime", "@terrarium/runtime"),
  workspace("packages/mcp", "@terrarium/mcp"),
  workspace("packages/runtimes/simulator", "@terrarium/runtime-simulator", "@terrarium/runtime"),
  workspace("packages/simulator", "@terrarium/simulator", "@terrarium/adb", "@terrarium/simulator-screen"),
  workspace("packages/simulator-screen", "@terrarium/simulator-screen", "@terrarium/simulator"),
];
const check = (path: string, source: string) => brokenRules([{ path, source }], workspaces);

describe("brokenRules", () => {
  it.each([
    ["packages/contract/src/index.ts", `import { z } from "zod"; export * from "./errors.ts";`],
    ["packages/sdk/src/index.ts", `import type { routes } from "@terrarium/contract";`],
    ["packages/sdk/src/events.ts", `import { io } from "socket.io-client";`],
    ["packages/adb/src/node-socket.ts", `import { connect } from "node:net";`],
    ["packages/runtimes/simulator/src/index.ts", `import type { Machine } from "@terrarium/runtime";`],
    [
      "packages/simulator/src/adb/listener.ts",
      `import { Device } from "../device/device.ts"; import "@terrarium/adb";`,
    ],
    ["packages/simulator-screen/src/home.ts", `import type { ScreenHost } from "@terrarium/simulator/screen";`],
    ["apps/server/src/runtimes.ts", `await import("@terrarium/runtime-simulator");`],
    ["apps/server/src/app.ts", `import "./platform/db.ts";`],
    ["apps/server/src/launch.ts", `import type { Mailer } from "./platform/mail/mailer.ts";`],
    ["apps/server/src/features/agents/mcp.ts", `await import("@modelcontextprotocol/server");`],
    ["apps/server/src/features/agents/draw-worker.ts", `import { mark } from "@terrarium/mcp/mark-picture";`],
    ["apps/server/src/main.ts", `import "./app.ts"; start(process.env);`],
    [
      "apps/server/src/features/instances/instances.ts",
      `import "../recipes/recipes.ts"; import "../sessions/actor.ts";`,
    ],
    [
      "apps/server/src/features/instances/instances.ts",
      `import { rows } from "./instances.store.ts"; import "../../platform/db.ts";`,
    ],
    [
      "apps/server/src/database/schema.ts",
      `import "../features/a/a.migrations.ts"; import "../features/a/a.tables.ts"; import "../platform/secrets.ts";`,
    ],
    ["apps/server/src/features/a/a.tables.ts", `import "@terrarium/contract"; import "../../platform/db/columns.ts";`],
    ["apps/server/src/features/a/a.store.ts", `db.selectFrom("a").execute();`],
    ["apps/server/src/features/a/a.db.test.ts", `db.selectFrom("a").execute();`],
    [
      "apps/server/src/features/a/a.store.ts",
      `import "../b/b.store.ts"; import type { A } from "../../database/schema.ts";`,
    ],
    ["apps/server/src/features/a/a.ts", `import type { Database } from "../../database/schema.ts";`],
    [
      "apps/server/src/features/a/a.ts",
      `export type * from "../../database/schema.ts"; export type { A } from "./b.ts";`,
    ],
    ["apps/server/src/features/a/a.ts", `type A = import("../../database/schema.ts").Database;`],
    ["apps/server/src/gateway/display.ts", `import { VideoReader } from "@terrarium/scrcpy";`],
    [
      "apps/server/src/features/recipes/recipes.test.ts",
      `import { it } from "vitest"; import "../../testing/app.ts"; process.env.A;`,
    ],
    ["apps/web/src/features/home/HomePage.tsx", `import "../recipes/RecipeList.tsx";`],
    ["e2e/story.peer.test.ts", `import "../apps/server/src/app.ts";`],
  ])("allows %s %s", (path, source) => {
    expect(check(path, source)).toEqual([]);
  });

  it.each([
    ["packages/contract/src/index.ts", `import pg from "pg";`, "the contract imports zod and nothing else"],
    ["packages/sdk/src/index.ts", `import { z } from "zod";`, "the sdk imports the contract and nothing else"],
    ["packages/adb/src/link.ts", `import { connect } from "node:net";`, "no sockets, no timers"],
    ["packages/adb/src/link.ts", `import { setTimeout } from "node:timers/promises";`, "no sockets, no timers"],
    ["packages/adb/src/link.ts", `setTimeout(() => {}, 10);`, "no sockets, no timers"],
    [
      "packages/simulator/src/device/device.ts",
      `import "@terrarium/simulator-screen";`,
      "the protocols, the video, the runtime interface",
    ],
    ["packages/simulator/src/device/device.ts", `import "../shell/table.ts";`, "imports only those before it"],
    [
      "packages/simulator-screen/src/home.ts",
      `import "@terrarium/simulator";`,
      "only through @terrarium/simulator/screen",
    ],
    [
      "apps/web/src/main.tsx",
      `import { Link } from "@terrarium/adb";`,
      "import only the contract, the sdk and the clock",
    ],
    ["apps/web/src/main.tsx", `import { readFile } from "node:fs";`, "runs in a browser"],
    ["apps/web/src/components/Card.tsx", `import "../features/recipes/RecipeList.tsx";`, "import no layer above them"],
    ["apps/web/src/components/Card.tsx", `import "@terrarium/contract";`, "and not the contract"],
    ["apps/web/src/session/session.ts", `import "../shared/new-devices.ts";`, "the session does not import screens"],
    ["apps/web/src/shared/Stage.tsx", `import "../features/home/HomePage.tsx";`, "shared parts do not import features"],
    ["apps/web/src/features/home/Home.tsx", `import "../../shell/Shell.tsx";`, "features do not import the shell"],
    [
      "apps/web/src/features/home/Home.tsx",
      `import "../recipes/RecipeList.tsx";`,
      "web features do not import each other",
    ],
    [
      "apps/server/src/platform/db.ts",
      `type A = import("../features/recipes/recipes.ts").A;`,
      "platform is independent of the product",
    ],
    [
      "apps/server/src/features/a/a.ts",
      `export { rows } from "../b/b.store.ts";`,
      "a feature imports only the plainly named files",
    ],
    ["apps/server/src/roles/api.ts", `import { rows } from "../features/b/b.store.ts";`, "only features import stores"],
    [
      "apps/server/src/launch.ts",
      `import { smtpMailer } from "./platform/mail/mailer.ts";`,
      "loaded when they are used",
    ],
    ["apps/server/src/features/agents/mcp.ts", `import "@terrarium/mcp";`, "loaded when they are used"],
    ["apps/server/src/features/agents/mcp.ts", `import "@modelcontextprotocol/server";`, "loaded when they are used"],
    ["apps/server/src/runtimes.ts", `import "@terrarium/runtime-simulator";`, "loaded when they are used"],
    [
      "apps/server/src/roles/api.ts",
      `import "../features/b/b.tables.ts";`,
      "only features and database/ import tables",
    ],
    ["apps/server/src/database/schema.ts", `import "../features/b/b.ts";`, "database/ imports only the tables"],
    [
      "apps/server/src/platform/db/listen.ts",
      `import "../../database/schema.ts";`,
      "imports no features, gateway, roles or tables",
    ],
    [
      "apps/server/src/features/a/a.tables.ts",
      `import type { A } from "../../database/schema.ts";`,
      "tables import only the contract",
    ],
    // Node loads it for types that are named so.
    ["apps/server/src/features/a/a.ts", `import { type A } from "../../database/schema.ts";`, "import only types of"],
    [
      "apps/server/src/features/a/a.ts",
      `export { migrations } from "../../database/schema.ts";`,
      "import only types of",
    ],
    ["apps/server/src/features/a/a.ts", `db.selectFrom("a");`, "SQL belongs in a store"],
    ["apps/server/src/features/a/a.routes.ts", `rows(db).where("a", "=", 1).executeTakeFirst();`, "SQL belongs in a"],
    ["apps/server/src/roles/api.ts", "const rows = sql<Row>`SELECT 1`;", "SQL belongs in a store"],
    ["apps/server/src/gateway/a.ts", "sql.raw`SELECT 1`;", "SQL belongs in a store"],
    ["apps/server/src/features/a/a.ts", `import "../b/b.tables.ts";`, "a feature imports only the plainly named"],
    [
      "apps/server/src/features/a/a.ts",
      `await import("../b/b.routes.ts");`,
      "a feature imports only the plainly named files",
    ],
    [
      "apps/server/src/features/a/a.ts",
      `import "../../gateway/display.ts";`,
      "features do not import the gateway or roles",
    ],
    ["apps/server/src/features/a/a.ts", `import "../../app.ts";`, "app.ts is imported only by launch.ts"],
    ["apps/server/src/features/a/a.ts", `import "@terrarium/scrcpy";`, "only the gateway speaks scrcpy"],
    [
      "apps/server/src/roles/api.ts",
      `await import("@terrarium/runtime-simulator");`,
      "only runtimes.ts loads runtimes",
    ],
    ["apps/server/src/app.ts", `await import("@terrarium/runtime-simulator");`, "only runtimes.ts loads runtimes"],
    ["apps/server/src/platform/db.ts", `const url = process.env.DATABASE_URL;`, "settings are read once"],
    ["apps/server/src/platform/db.ts", `import { env } from "node:process";`, "settings are read once"],
    [
      "apps/server/src/platform/db.ts",
      `import "../testing/fake-mailer.ts";`,
      "test helpers are imported only by tests",
    ],
    ["apps/server/src/platform/db.ts", `import "lodash";`, "must be in the package.json"],
    [
      "apps/server/src/platform/db.ts",
      `import "../../../../packages/contract/src/errors.ts";`,
      "by its name, not by a path",
    ],
    ["apps/server/src/platform/index.ts", `export * from "./db.ts";`, "apps have none"],
  ])("refuses %s %s", (path, source, sentence) => {
    expect(check(path, source)).toEqual([expect.stringContaining(sentence)]);
  });

  it("reports the place, the import and the rule", () => {
    expect(check("packages/sdk/src/index.ts", `\n\nimport "zod";`)).toEqual([
      "packages/sdk/src/index.ts:3 imports zod: the sdk imports the contract and nothing else; its displays also the clock and the player",
    ]);
  });
});
