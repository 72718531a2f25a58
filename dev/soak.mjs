// npm run soak -- MINUTES [DEVICES]: viewers come and go, devices are replaced; prints what that costs, and what it leaves behind.
import { run } from "./commands/child.mjs";
import { command } from "./commands/command.mjs";
import { installDebianTools } from "./commands/debian-tools.mjs";
import { findNode24 } from "./commands/node-24.mjs";
import { installPackages } from "./commands/packages.mjs";

await command(async () => {
  await installPackages();
  if (!(await installDebianTools())) return 1;
  return run(findNode24(), ["e2e/soak/main.ts", ...process.argv.slice(2)]);
});
