import type { Use } from "./uses.ts";

/**
 * Who may import whom. Files are named by their path from the root. What a file uses is named likewise if it is our own code (an import of a
 * workspace by name counts as its folder); otherwise `node:net` is a Node module, `npm:zod` a package, `global:process.env` a global,
 * and `global:SQL` a query.
 */
export interface Rule {
  /** The rule as a sentence, for error messages. */
  sentence: string;
  /** Whether it applies to a file. */
  binds: (file: string) => boolean;
  /** Whether a file that it applies to may not use something, by an import that loads it at such a time. */
  forbids: (used: string, file: string, loads: Use["loads"]) => boolean;
}

const SERVER = "apps/server/src/";
const WEB = "apps/web/src/";
const TIMERS = ["global:setTimeout", "global:setInterval", "global:setImmediate", "node:timers"];
const SERVES_TESTS = /\.test\.tsx?$|\.setup\.ts$|\/testing(\/|$)|^(dev|e2e|bench)\//;
const SOCKETS = ["node:net", "node:tls", "node:http", "node:dgram", "npm:ws"];

/** Whether a path is one of these places or inside one. */
const among =
  (...places: string[]) =>
  (path: string) =>
    places.some((place) =>
      place.endsWith("/") ? path.startsWith(place) : path === place || path.startsWith(`${place}/`),
    );

/** Matches imports of anything but these; globals are not imports. */
const anyImportBut =
  (...places: string[]) =>
  (used: string) =>
    !used.startsWith("global:") && !among(...places)(used);

const ourCodeBut =
  (...places: string[]) =>
  (used: string) =>
    among("apps/", "packages/")(used) && !among(...places)(used);

const isLoadedLate = among(
  `${SERVER}platform/mail/mailer.ts`,
  "packages/mcp/",
  "packages/runtimes/",
  "npm:@modelcontextprotocol/server",
);

const webFloors = (...names: string[]) => names.map((name) => `${WEB}${name}/`);

export const rules: readonly Rule[] = [
  // Packages
  {
    sentence: "the contract imports zod and nothing else",
    binds: among("packages/contract/"),
    forbids: anyImportBut("packages/contract/", "npm:zod"),
  },
  {
    sentence: "the sdk imports the contract and nothing else; its displays also the clock and the player",
    binds: among("packages/sdk/"),
    // Who asks for these by name gets what they need with them.
    forbids: (used, file) =>
      anyImportBut("packages/sdk/", "packages/contract/")(used) &&
      !(file.endsWith("/events.ts") && used === "npm:socket.io-client") &&
      !(file.endsWith("/vite.config.ts") && used === "npm:vite") &&
      !(file.endsWith("/adb.ts") && used.startsWith("npm:@yume-chan/")) &&
      !(
        file.startsWith("packages/sdk/src/display/") &&
        (used === "npm:@genymotion/device-web-player" || among("packages/clock/")(used))
      ) &&
      !(file.endsWith("/scenario-file.ts") && (used === "npm:yaml" || used === "npm:zod")),
  },
  ...["adb", "adb-tunnel", "scrcpy", "player", "runtime", "clock"].map((name) => ({
    sentence: `${name} imports none of our code but the clock`,
    binds: among(`packages/${name}/`),
    forbids: ourCodeBut(`packages/${name}/`, "packages/clock/"),
  })),
  {
    sentence: "a protocol package turns bytes into messages and back: no sockets, no timers",
    binds: (file) =>
      among("packages/adb/", "packages/scrcpy/", "packages/player/")(file) && !file.endsWith("/node-socket.ts"),
    forbids: among(...SOCKETS, ...TIMERS),
  },
  {
    sentence: "what makes pictures a video imports only scrcpy and the clock",
    binds: among("packages/video/"),
    forbids: ourCodeBut(...["video", "scrcpy", "clock"].map((name) => `packages/${name}/`)),
  },
  {
    sentence: "the simulated device imports only the protocols, the video, the runtime interface and the clock",
    binds: among("packages/simulator/"),
    forbids: ourCodeBut(
      ...["simulator", "adb", "scrcpy", "video", "runtime", "clock"].map((name) => `packages/${name}/`),
    ),
  },
  {
    sentence:
      "a folder of the simulated device imports only those before it: files, apk, encoder, device, shell, scrcpy, adb, host",
    binds: (file) => deviceFloor(file) >= 0,
    forbids: (used, file) => deviceFloor(used) > deviceFloor(file),
  },
  {
    sentence: "the simulated device's screen imports the device only through @terrarium/simulator/screen",
    binds: among("packages/simulator-screen/"),
    forbids: ourCodeBut(
      ...["simulator-screen", "simulator/screen", "runtime", "clock"].map((name) => `packages/${name}/`),
    ),
  },
  {
    sentence: "runtimes do not import the control plane",
    binds: among("packages/runtimes/"),
    forbids: among("apps/", "packages/contract/", "packages/sdk/", "packages/player/"),
  },

  // The server: platform <- features <- roles <- app.ts <- main.ts, and the gateway beside the features
  {
    sentence: "platform is independent of the product: it imports no features, gateway, roles or tables",
    binds: among(`${SERVER}platform/`),
    forbids: among(`${SERVER}features/`, `${SERVER}gateway/`, `${SERVER}roles/`, `${SERVER}database/`),
  },
  {
    sentence: "database/ imports only the tables and migrations of the features",
    binds: among(`${SERVER}database/`),
    forbids: (used) =>
      ourCodeBut(`${SERVER}database/`, `${SERVER}platform/`)(used) && !/\.(tables|migrations)\.ts$/.test(used),
  },
  {
    sentence: "tables import only the contract and platform/db/columns.ts",
    binds: (file) => file.endsWith(".tables.ts"),
    forbids: ourCodeBut("packages/contract/", `${SERVER}platform/db/columns.ts`),
  },
  {
    // It loads the migrations of all features.
    sentence: "features import only types of database/schema.ts",
    binds: among(`${SERVER}features/`),
    forbids: (used, _, loads) => used === `${SERVER}database/schema.ts` && loads !== "never",
  },
  {
    sentence: "features do not import the gateway or roles; inject what they need of them",
    binds: among(`${SERVER}features/`),
    forbids: among(`${SERVER}gateway/`, `${SERVER}roles/`),
  },
  {
    sentence: "app.ts is imported only by launch.ts, launch.ts only by main.ts, and runtimes.ts only by both",
    binds: (file) => file.startsWith(SERVER) && !file.endsWith("main.ts") && !file.endsWith("/launch.ts"),
    forbids: among(`${SERVER}app.ts`, `${SERVER}launch.ts`, `${SERVER}runtimes.ts`),
  },
  {
    // Every start would wait for them, also where they are never used.
    sentence: "mail, runtimes and what agents speak are loaded when they are used: import them by import()",
    binds: (file) => file.startsWith(SERVER) && !file.endsWith("-worker.ts"),
    forbids: (used, _, loads) => loads === "at-once" && isLoadedLate(used),
  },
  {
    sentence: "only the gateway speaks scrcpy and the player's protocol",
    binds: (file) => file.startsWith("apps/") && !among(`${SERVER}gateway/`, `${SERVER}app.ts`)(file),
    forbids: among("packages/scrcpy/", "packages/player/"),
  },
  {
    sentence: "only runtimes.ts loads runtimes",
    binds: (file) =>
      !among(`${SERVER}runtimes.ts`, "packages/runtimes/", "packages/simulator/", "packages/simulator-screen/")(file),
    forbids: among("packages/runtimes/", "packages/simulator/", "packages/simulator-screen/"),
  },
  {
    sentence:
      "a feature imports only the plainly named files of another (actor.ts), not its store, routes, policy or jobs; stores may import stores",
    binds: among(`${SERVER}features/`),
    forbids: (used, file) => {
      const feature = featureOf(SERVER, used);
      const isOfAKind = /\/[^/.]+\.[a-z]+\.ts$/.test(used);
      const areStores = [used, file].every((path) => path.endsWith(".store.ts"));
      return isOfAKind && !areStores && feature !== undefined && feature !== featureOf(SERVER, file);
    },
  },
  {
    sentence: "only features import stores, and only features and database/ import tables",
    binds: (file) => !file.startsWith(`${SERVER}features/`),
    forbids: (used, file) =>
      used.endsWith(".store.ts") ||
      (/features\/.*\.(tables|migrations)\.ts$/.test(used) && !among(`${SERVER}database/`)(file)),
  },
  {
    sentence: "SQL belongs in a store (*.store.ts)",
    binds: (file) =>
      among(`${SERVER}features/`, `${SERVER}roles/`, `${SERVER}gateway/`)(file) && !file.endsWith(".store.ts"),
    forbids: among("global:SQL"),
  },
  {
    sentence: "settings are read once, in a main.ts",
    binds: (file) => among("packages/", SERVER, WEB, "apps/cli/src/")(file) && !/[/.-]main\.ts$/.test(file),
    forbids: among("global:process.env"),
  },

  // The web app and the command line
  {
    sentence:
      "the web app and the command line import only the contract, the sdk and the clock; the latter also adb, its tunnel and what it serves agents",
    binds: among(WEB, "apps/cli/"),
    forbids: (used, file) =>
      ourCodeBut(WEB, "apps/cli/", "packages/contract/", "packages/sdk/", "packages/clock/")(used) &&
      !(among("packages/adb/", "packages/adb-tunnel/", "packages/mcp/")(used) && file.startsWith("apps/cli/")),
  },
  {
    sentence: "the web app runs in a browser, without Node's modules",
    // What prerenders its pages runs in a worker of the server.
    binds: (file) => among(WEB)(file) && !file.startsWith("apps/web/src/prerender/"),
    forbids: (used) => used.startsWith("node:"),
  },
  // Layers of the web app, from the top: shell, features, shared, session, components
  {
    sentence: "components are independent of the product: they import no layer above them, and not the contract",
    binds: among(`${WEB}components/`),
    forbids: among(...webFloors("shell", "features", "shared", "session"), "packages/contract/"),
  },
  {
    sentence: "the session does not import screens",
    binds: among(`${WEB}session/`),
    forbids: among(...webFloors("shell", "features", "shared")),
  },
  {
    sentence: "shared parts do not import features or the shell",
    binds: among(`${WEB}shared/`),
    forbids: among(...webFloors("shell", "features")),
  },
  {
    sentence: "features do not import the shell",
    binds: among(`${WEB}features/`),
    forbids: among(...webFloors("shell")),
  },
  {
    sentence: "web features do not import each other; a page may import several",
    binds: (file) => file.startsWith(`${WEB}features/`) && !file.endsWith("Page.tsx"),
    forbids: (used, file) => featureOf(WEB, used) !== undefined && featureOf(WEB, used) !== featureOf(WEB, file),
  },

  // Everywhere
  {
    sentence: "test helpers are imported only by tests",
    binds: () => true,
    forbids: (used) => !used.startsWith("npm:") && SERVES_TESTS.test(used),
  },
  {
    sentence: "another workspace is imported by its name, not by a path",
    binds: () => true,
    forbids: (used, file) =>
      workspaceOf(used) !== undefined && workspaceOf(used) !== workspaceOf(file) && used.includes("/src/"),
  },
];

/** Tests, their helpers and the development scripts, which may import anything. */
export function isForTests(file: string): boolean {
  const isAtTheRoot = !file.includes("/");
  return isAtTheRoot || SERVES_TESTS.test(file);
}

/** The feature that a file belongs to, such as `instances`. */
function featureOf(app: string, file: string): string | undefined {
  const place = `${app}features/`;
  return file.startsWith(place) ? file.slice(place.length).split("/")[0] : undefined;
}

const DEVICE_FLOORS = ["files", "apk", "encoder", "device", "shell", "scrcpy", "adb", "host"];

/** The layer of the simulated device that a file belongs to, counted from the bottom; -1 for other files. */
function deviceFloor(file: string): number {
  return DEVICE_FLOORS.indexOf(/^packages\/simulator\/src\/([a-z]+)\//.exec(file)?.[1] ?? "");
}

/** The workspace that a file belongs to, such as `packages/runtimes/simulator`. */
function workspaceOf(file: string): string | undefined {
  return /^(apps\/[^/]+|packages\/runtimes\/[^/]+|packages\/[^/]+)/.exec(file)?.[0];
}
