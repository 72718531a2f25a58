import type { PlanRequestKind } from "@terrarium/contract";
import { organizationCalled } from "../features/organizations/organization-called.ts";
import { decide, getPending } from "../features/trials/trials.ts";
import { type Command, onDatabase, pagesAt, print } from "./command.ts";

/** The commands for what organizations have asked for, by the word for it. */
const commandsFor = (word: "trials" | "premium", says: { list: string; approve: string }): Command[] => [
  ...(["approve", "reject"] as const).map((decision): Command => ({
    name: `${word} ${decision}`,
    usage: `${word} ${decision} ORGANIZATION [REASON]`,
    about: decision === "approve" ? says.approve : "refuses it; its managers are told the reason",
    read: ({ words: [called, reason = "", ...rest] }) => {
      if (!called || rest.length > 0) return undefined;
      return (installation) =>
        onDatabase(async ({ by, ...deps }) => {
          const organization = await organizationCalled(deps.db, called);
          const asked = (await getPending(deps.db)).find(
            (request) => request.organization.uuid === organization && isOf(word, request.kind),
          );
          if (!asked) throw new Error(`${called} has not asked for one.`);
          const origin = pagesAt(installation);
          await decide({ ...deps, pagesAt: () => origin }, asked.uuid, { decision, reason }, by);
          console.log(`${called}: ${asked.kind}, ${decision === "approve" ? "approved" : "rejected"}.`);
        })(installation);
    },
  })),
  {
    name: `${word} list`,
    usage: `${word} list [--json]`,
    about: says.list,
    read: ({ words, options }) => {
      if (words.length > 0) return undefined;
      return onDatabase(async ({ db }) => {
        const pending = (await getPending(db)).filter(({ kind }) => isOf(word, kind));
        print(
          pending.map(({ organization, kind, asked_by, requested_at, form }) => ({
            organization: organization.name,
            uuid: organization.uuid,
            kind,
            asked_by,
            requested_at,
            ...(options.json ? { form } : { company: form["company_name"], devices: form["nb_of_concurrent_vd"] }),
          })),
          options,
        );
      });
    },
  },
];

const isOf = (word: "trials" | "premium", kind: PlanRequestKind): boolean =>
  (kind === "premium") === (word === "premium");

export const planRequestCommands: readonly Command[] = [
  ...commandsFor("trials", {
    list: "trials that organizations have asked for",
    approve: "begins the trial that it has asked for",
  }),
  ...commandsFor("premium", {
    list: "offers for a Premium plan that organizations have asked for",
    approve: "accepts the request; its limits are set apart",
  }),
];
