// npm run pictures: takes the pictures of docs/images anew, each of a server of its own.
import { run } from "./commands/child.mjs";
import { command } from "./commands/command.mjs";
import { installDebianTools } from "./commands/debian-tools.mjs";
import { findNode24 } from "./commands/node-24.mjs";
import { installPackages } from "./commands/packages.mjs";
import { buildWeb } from "./commands/web-build.mjs";

await command(async () => {
  await installPackages();
  if (!(await installDebianTools())) return 1;
  const node = findNode24();
  await buildWeb(node);
  return (await run(node, ["e2e/pictures/main.ts"])) || run(node, ["e2e/pictures/phone-on-a-desk.ts"]);
});
