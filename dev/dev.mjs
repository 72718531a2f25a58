// npm run dev: the server, restarted when its code changes, and the web app with hot reload in front of it.
import { keep } from "./commands/child.mjs";
import { command } from "./commands/command.mjs";
import { compileCache } from "./commands/compile-cache.mjs";
import { findNode24 } from "./commands/node-24.mjs";
import { installPackages } from "./commands/packages.mjs";
import { say } from "./commands/say.mjs";
import { isTerrariumAt, startWebWithHotReload } from "./commands/web-dev.mjs";

/** Where the API answers; its neighbour 5173 is vite's own choice for the pages. */
const SERVER_PORT = Number(process.env.PORT ?? 8080);
const WEB_PORT = 5173;

await command(async () => {
  const url = `http://localhost:${WEB_PORT}`;
  if (await isTerrariumAt(url)) {
    say("dev", `already runs at ${url}`);
    return 0;
  }
  await installPackages();
  const node = findNode24();
  const web = await startWebWithHotReload(WEB_PORT, SERVER_PORT);
  const server = keep(
    node,
    // SIGUSR2 tells the server that the next one follows, so that it leaves the devices running.
    [
      "--watch",
      "--watch-preserve-output",
      "--watch-kill-signal=SIGUSR2",
      "--import",
      "./dev/commands/end-with-parent.mjs",
      "apps/server/src/main.ts",
    ],
    { PORT: String(SERVER_PORT), ...compileCache },
  );
  say("dev", `the web app with hot reload is at ${url}, the API at http://localhost:${SERVER_PORT}/cloud`);
  try {
    return await server.ended;
  } finally {
    await web.close();
  }
});
