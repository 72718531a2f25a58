// npm start: everything from a fresh clone to a running server. Plain JavaScript: it runs before anything is installed.
import { join } from "node:path";
import { keep } from "./commands/child.mjs";
import { command } from "./commands/command.mjs";
import { findNode24 } from "./commands/node-24.mjs";
import { installPackages } from "./commands/packages.mjs";
import { root } from "./commands/root.mjs";
import { buildWeb } from "./commands/web-build.mjs";

/** Node keeps here what it made of our TypeScript: each later start is a second shorter. */
const compiled = join(root, "node_modules/.cache/compiled");

await command(async () => {
  await installPackages();
  const node = findNode24();
  await buildWeb(node);
  return keep(node, ["--import", "./dev/commands/end-with-parent.mjs", "apps/server/src/main.ts"], {
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? compiled,
  }).ended;
});
