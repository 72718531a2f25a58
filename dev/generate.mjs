// npm run generate: writes the generated files and parts: the lists of nouns and of sentences, docs/openapi.json and docs/CHANGES.md, the SDK's routes, the README's settings, NOTICE's list and
// docs/sbom.cdx.json.
import { run } from "./commands/child.mjs";
import { command } from "./commands/command.mjs";
import { findNode24 } from "./commands/node-24.mjs";
import { installPackages } from "./commands/packages.mjs";

await command(async () => {
  await installPackages();
  const node = findNode24();
  const codes = [];
  for (const part of ["compose", "openapi", "wire", "settings", "licences"])
    codes.push(await run(node, [`dev/${part}.ts`, "--write"]));
  return Math.max(...codes);
});
