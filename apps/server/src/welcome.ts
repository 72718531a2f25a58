import type { Possibility } from "@terrarium/contract";
import type { DemoAccounts } from "./features/demo/demo.ts";

interface Started {
  port: number;
  isRoot: boolean;
  /** Undefined without demo accounts. */
  demo: DemoAccounts | undefined;
  /** What this machine could run Android with. */
  machine: readonly Possibility[];
}

/** What a server prints when it has started. Random passwords are in it only at the start that made them. */
export function welcome({ port, isRoot, demo, machine }: Started): string {
  const paragraphs = [`Terrarium is ready at http://localhost:${port}`];
  if (isRoot) paragraphs.push("It runs as root. docs/OPERATIONS.md says how to run it as an account of its own.");
  if (demo && demo.published.length > 0)
    paragraphs.push(["Sign in with one of the demo accounts:", ...demo.published.map(lineOf)].join("\n"));
  if (demo && demo.made.length > 0)
    paragraphs.push(
      [
        "Others may reach this server, so the demo accounts have new, random passwords. They are shown this once:",
        ...demo.made.map(lineOf),
      ].join("\n"),
    );
  if (demo && demo.published.length + demo.made.length === 0)
    paragraphs.push("The demo accounts keep their passwords. For new ones: npm run operator -- demo passwords");
  if (machine.length > 0)
    paragraphs.push(["Android on this machine (docs/RUNTIMES.md):", ...machine.map(possibilityLine)].join("\n"));
  return `\n${paragraphs.join("\n\n")}\n`;
}

const possibilityLine = ({ what, is_possible, says, help }: Possibility): string =>
  `  ${is_possible ? "yes" : "no "}  ${what.padEnd(12)} ${says}${help === null ? "" : `\n${" ".repeat(20)}${help}`}`;

const lineOf = ({ email, password }: DemoAccounts["made"][number]): string => `  ${email.padEnd(20)} ${password}`;
