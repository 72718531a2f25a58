import { removeSecondFactors, requireOfOrganization } from "../features/second-factor/for-operator.ts";
import { type Command, onDatabase } from "./command.ts";

export const secondFactorCommands: readonly Command[] = [
  {
    name: "organizations second-factor",
    usage: "organizations second-factor NAME required|optional",
    about: "whether its members need a second factor",
    read: ({ words: [name, rule, ...rest] }) => {
      if (!name || (rule !== "required" && rule !== "optional") || rest.length > 0) return undefined;
      return onDatabase(async (deps) => {
        await requireOfOrganization(deps, name, rule === "required");
        console.log(`A second factor is ${rule} in ${name}.`);
      });
    },
  },
  {
    name: "users no-second-factor",
    usage: "users no-second-factor EMAIL",
    about: "for somebody who has lost theirs; ends the sessions",
    read: ({ words: [email, ...rest] }) => {
      if (!email || rest.length > 0) return undefined;
      return (installation) =>
        onDatabase(async (deps) => {
          const { publicUrl } = installation.settings;
          const isDone = await removeSecondFactors(
            deps,
            email,
            publicUrl ?? `http://localhost:${installation.settings.port}`,
          );
          console.log(isDone ? `${email} has no second factor any more.` : `${email} has no second factor.`);
        })(installation);
    },
  },
];
