/**
 * Who may know whom. A file is named by its path from the root. What it uses is named alike for our own code (a workspace imported
 * by its name stands for its folder), and else `node:net` for a part of Node, `npm:zod` for a package, `global:process.env` for a
 * global, `global:SQL` for a query.
 */
export interface Rule {
  /** The rule as a sentence, for whoever broke it. */
  says: string;
  /** The files it binds. */
  binds: (file: string) => boolean;
  /** Whether a file it binds breaks it by using something. */
  forbids: (used: string, file: string) => boolean;
}

const SERVER = "apps/server/src/";
const WEB = "apps/web/src/";
const TIMERS = ["global:setTimeout", "global:setInterval", "global:setImmediate", "node:timers"];
const SERVES_TESTS = /\.(test|demo)\.tsx?$|\.setup\.ts$|\/testing(\/|$)|^(dev|e2e|bench)\//;
const SOCKETS = ["node:net", "node:tls", "node:http", "node:dgram", "npm:ws"];

/** Whether a path is one of these or lies under one that ends in a slash. */
const among =
  (...places: string[]) =>
  (path: string) =>
    places.some((place) =>
      place.endsWith("/") ? path.startsWith(place) : path === place || path.startsWith(`${place}/`),
    );

/** Imports of anything but these; a global is not an import. */
const anyImportBut =
  (...places: string[]) =>
  (used: string) =>
    !used.startsWith("global:") && !among(...places)(used);

const ourCodeBut =
  (...places: string[]) =>
  (used: string) =>
    among("apps/", "packages/")(used) && !among(...places)(used);

const webFloors = (...names: string[]) => names.map((name) => `${WEB}${name}/`);

export const rules: readonly Rule[] = [
  // Packages
  {
    says: "the contract imports zod and nothing else",
    binds: among("packages/contract/"),
    forbids: anyImportBut("packages/contract/", "npm:zod"),
  },
  {
    says: "the sdk imports the contract and nothing else",
    binds: among("packages/sdk/"),
    forbids: anyImportBut("packages/sdk/", "packages/contract/"),
  },
  ...["adb", "scrcpy", "player", "runtime", "clock"].map((name) => ({
    says: `${name} knows no code of ours but the clock`,
    binds: among(`packages/${name}/`),
    forbids: ourCodeBut(`packages/${name}/`, "packages/clock/"),
  })),
  {
    says: "a protocol package turns bytes into messages and back: no sockets, no timers",
    binds: (file) =>
      among("packages/adb/", "packages/scrcpy/", "packages/player/")(file) && !file.endsWith("/node-socket.ts"),
    forbids: among(...SOCKETS, ...TIMERS),
  },
  {
    says: "a simulated device knows the protocols, the runtime interface and the clock only",
    binds: among("packages/simulator/"),
    forbids: ourCodeBut(...["simulator", "adb", "scrcpy", "runtime", "clock"].map((name) => `packages/${name}/`)),
  },
  {
    says: "inside a simulated device a folder knows only those before it: files, apk, encoder, device, shell, scrcpy, adb, host",
    binds: (file) => deviceFloor(file) >= 0,
    forbids: (used, file) => deviceFloor(used) > deviceFloor(file),
  },
  {
    says: "the screen of a simulated device knows the device by @terrarium/simulator/screen alone",
    binds: among("packages/simulator-screen/"),
    forbids: ourCodeBut(
      ...["simulator-screen", "simulator/screen", "runtime", "clock"].map((name) => `packages/${name}/`),
    ),
  },
  {
    says: "a runtime knows nothing of the control plane",
    binds: among("packages/runtimes/"),
    forbids: among("apps/", "packages/contract/", "packages/sdk/", "packages/player/"),
  },

  // The server: platform <- features <- roles <- app.ts <- main.ts, and the gateway beside the features
  {
    says: "platform would fit any product: it knows no feature, gateway or role, and no table of theirs",
    binds: among(`${SERVER}platform/`),
    forbids: among(`${SERVER}features/`, `${SERVER}gateway/`, `${SERVER}roles/`, `${SERVER}database/`),
  },
  {
    says: "the database is put together from the tables and migrations of the features, and knows no more of them",
    binds: among(`${SERVER}database/`),
    forbids: (used) =>
      ourCodeBut(`${SERVER}database/`, `${SERVER}platform/`)(used) && !/\.(tables|migrations)\.ts$/.test(used),
  },
  {
    says: "tables are made of columns: they know the contract's words and the kinds of column",
    binds: (file) => file.endsWith(".tables.ts"),
    forbids: ourCodeBut("packages/contract/", `${SERVER}platform/db/columns.ts`),
  },
  {
    says: "features know no gateway and no role; what they need of them is handed in",
    binds: among(`${SERVER}features/`),
    forbids: among(`${SERVER}gateway/`, `${SERVER}roles/`),
  },
  {
    says: "app.ts is for launch.ts to import, and that for main.ts, and runtimes.ts is for both",
    binds: (file) => file.startsWith(SERVER) && !file.endsWith("main.ts") && !file.endsWith("/launch.ts"),
    forbids: among(`${SERVER}app.ts`, `${SERVER}launch.ts`, `${SERVER}runtimes.ts`),
  },
  {
    says: "only the gateway speaks scrcpy and the player's protocol",
    binds: (file) => file.startsWith("apps/") && !among(`${SERVER}gateway/`, `${SERVER}app.ts`)(file),
    forbids: among("packages/scrcpy/", "packages/player/"),
  },
  {
    says: "only runtimes.ts loads runtimes",
    binds: (file) =>
      !among(`${SERVER}runtimes.ts`, "packages/runtimes/", "packages/simulator/", "packages/simulator-screen/")(file),
    forbids: among("packages/runtimes/", "packages/simulator/", "packages/simulator-screen/"),
  },
  {
    says: "a feature uses another by its plainly named files (actor.ts), never its store, routes, policy or jobs; a store may join another's",
    binds: among(`${SERVER}features/`),
    forbids: (used, file) => {
      const feature = featureOf(SERVER, used);
      const isOfAKind = /\/[^/.]+\.[a-z]+\.ts$/.test(used);
      const areStores = [used, file].every((path) => path.endsWith(".store.ts"));
      return isOfAKind && !areStores && feature !== undefined && feature !== featureOf(SERVER, file);
    },
  },
  {
    says: "stores and tables are for features, and only database/ puts tables together",
    binds: (file) => !file.startsWith(`${SERVER}features/`),
    forbids: (used, file) =>
      used.endsWith(".store.ts") ||
      (/features\/.*\.(tables|migrations)\.ts$/.test(used) && !among(`${SERVER}database/`)(file)),
  },
  {
    says: "SQL belongs into a store (*.store.ts)",
    binds: (file) =>
      among(`${SERVER}features/`, `${SERVER}roles/`, `${SERVER}gateway/`)(file) && !file.endsWith(".store.ts"),
    forbids: among("global:SQL"),
  },
  {
    says: "settings are read once, in a main.ts",
    binds: (file) => among("packages/", SERVER, WEB, "apps/cli/src/")(file) && !/[/.-]main\.ts$/.test(file),
    forbids: among("global:process.env"),
  },

  // The web app and the command line
  {
    says: "the web app and the command line know the server by the contract and the sdk only, and the time by the clock",
    binds: among(WEB, "apps/cli/"),
    forbids: ourCodeBut(WEB, "apps/cli/", "packages/contract/", "packages/sdk/", "packages/clock/"),
  },
  {
    says: "the web app runs in a browser",
    binds: among(WEB),
    forbids: (used) => used.startsWith("node:"),
  },
  // Floors of the web app, from the top: shell, features, shared, session, components
  {
    says: "components would fit any product: they know no floor above them and no noun of ours",
    binds: among(`${WEB}components/`),
    forbids: among(...webFloors("shell", "features", "shared", "session"), "packages/contract/"),
  },
  {
    says: "the session knows who is signed in and no screen",
    binds: among(`${WEB}session/`),
    forbids: among(...webFloors("shell", "features", "shared")),
  },
  {
    says: "shared parts serve several features: they know none, and not the shell around them",
    binds: among(`${WEB}shared/`),
    forbids: among(...webFloors("shell", "features")),
  },
  {
    says: "features do not know the shell that shows them",
    binds: among(`${WEB}features/`),
    forbids: among(...webFloors("shell")),
  },
  {
    says: "web features do not know each other; the page that shows both does",
    binds: (file) => file.startsWith(`${WEB}features/`) && !file.endsWith("Page.tsx"),
    forbids: (used, file) => featureOf(WEB, used) !== undefined && featureOf(WEB, used) !== featureOf(WEB, file),
  },

  // Everywhere
  {
    says: "what serves tests is imported by tests alone",
    binds: () => true,
    forbids: (used) => !used.startsWith("npm:") && SERVES_TESTS.test(used),
  },
  {
    says: "another workspace is imported by its name, not by a path",
    binds: () => true,
    forbids: (used, file) =>
      workspaceOf(used) !== undefined && workspaceOf(used) !== workspaceOf(file) && used.includes("/src/"),
  },
];

/** Tests, what serves them, and the scripts around the product: they may reach for anything. */
export function isForTests(file: string): boolean {
  const isAtTheRoot = !file.includes("/");
  return isAtTheRoot || SERVES_TESTS.test(file);
}

/** `instances` for a file of the feature of that name; nothing for other files. */
function featureOf(app: string, file: string): string | undefined {
  const place = `${app}features/`;
  return file.startsWith(place) ? file.slice(place.length).split("/")[0] : undefined;
}

const DEVICE_FLOORS = ["files", "apk", "encoder", "device", "shell", "scrcpy", "adb", "host"];

/** Which floor of the simulated device a file is on, from the ground up; -1 for other files. */
function deviceFloor(file: string): number {
  return DEVICE_FLOORS.indexOf(/^packages\/simulator\/src\/([a-z]+)\//.exec(file)?.[1] ?? "");
}

/** `packages/runtimes/simulator` for a file of that workspace. */
function workspaceOf(file: string): string | undefined {
  return /^(apps\/[^/]+|packages\/runtimes\/[^/]+|packages\/[^/]+)/.exec(file)?.[0];
}
