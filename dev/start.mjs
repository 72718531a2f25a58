// npm start: from a fresh clone to a running server. Plain JavaScript, as it runs before anything is installed.
import { startChild } from "./commands/child.mjs";
import { command } from "./commands/command.mjs";
import { compileCache } from "./commands/compile-cache.mjs";
import { findNode24 } from "./commands/node-24.mjs";
import { installPackages } from "./commands/packages.mjs";
import { buildWeb } from "./commands/web-build.mjs";

await command(async () => {
  await installPackages();
  const node = findNode24();
  await buildWeb(node);
  const args = ["--import", "./dev/commands/end-with-parent.mjs", "apps/server/src/main.ts"];
  return startChild(node, args, compileCache).ended;
});
