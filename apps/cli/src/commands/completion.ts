import { Argument, type Command } from "commander";
import type { Cli } from "../cli.ts";

const shells = ["bash", "zsh", "fish"] as const;

/** What a shell runs at each Tab: this program with `complete` and the words so far. */
const scripts: Readonly<Record<(typeof shells)[number], string>> = {
  bash: `_terrarium() {
  COMPREPLY=($(compgen -W "$(terrarium complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _terrarium terrarium`,
  zsh: `#compdef terrarium
_terrarium() {
  compadd -- \${(f)"$(terrarium complete -- "\${words[@]:1:$((CURRENT - 1))}" 2>/dev/null)"}
}
compdef _terrarium terrarium`,
  fish: `complete -c terrarium -f -a '(terrarium complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'`,
};

export function addCompletion(program: Command, cli: Cli): void {
  program
    .command("completion")
    .description("a script that completes commands in your shell: add it to its start-up file")
    .addArgument(new Argument("<shell>").choices(shells))
    .action((shell: (typeof shells)[number]) => cli.print.line(scripts[shell]));

  program
    .command("complete", { hidden: true })
    .argument("[words...]")
    .action((words: string[]) => {
      for (const word of completionsOf(program, words)) cli.print.line(word);
    });
}

/** The commands and options that may come in place of the last word. */
export function completionsOf(program: Command, words: readonly string[]): string[] {
  let command = program;
  for (const word of words.slice(0, -1))
    command = command.commands.find((each) => each.name() === word || each.aliases().includes(word)) ?? command;
  const help = command.createHelp();
  const names = help.visibleCommands(command).map((each) => each.name());
  const options = help.visibleOptions(command).flatMap(({ long }) => long ?? []);
  const last = words.at(-1) ?? "";
  return (last.startsWith("-") ? options : names).filter((word) => word.startsWith(last));
}
