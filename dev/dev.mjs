// npm run dev: the server, restarted when its code changes, behind the web app with hot reload.
import { startChild } from "./commands/child.mjs";
import { command } from "./commands/command.mjs";
import { compileCache } from "./commands/compile-cache.mjs";
import { findNode24 } from "./commands/node-24.mjs";
import { installPackages } from "./commands/packages.mjs";
import { say } from "./commands/say.mjs";
import { isTerrariumAt, startWebWithHotReload } from "./commands/web-dev.mjs";

/** The port of the API. For the pages, 5173 is Vite's default. */
const SERVER_PORT = Number(process.env.PORT ?? 8080);
const WEB_PORT = 5173;

await command(async () => {
  const url = `http://localhost:${WEB_PORT}`;
  if (await isTerrariumAt(url)) {
    say("dev", `already running at ${url}`);
    return 0;
  }
  await installPackages();
  const node = findNode24();
  const web = await startWebWithHotReload(WEB_PORT, SERVER_PORT);
  const server = startChild(
    node,
    // Changed code restarts it with SIGTERM, which leaves its devices to the next one.
    ["--watch", "--watch-preserve-output", "--import", "./dev/commands/end-with-parent.mjs", "apps/server/src/main.ts"],
    { PORT: String(SERVER_PORT), ...compileCache },
  );
  say("dev", `the web app with hot reload is at ${url}, the API at http://localhost:${SERVER_PORT}/cloud`);
  try {
    return await server.ended;
  } finally {
    await web.close();
  }
});
