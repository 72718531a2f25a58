import type { Group } from "@terrarium/contract";
import { createTestApp } from "./app.ts";
import { aGroup, anOrganization } from "./factories.ts";
import { outcomeOf } from "./sharing.ts";

/** An organization of ten devices with a manager, two members and a default group; and the manager of another. */
export async function withGroups({ listen = false }: { listen?: boolean } = {}) {
  const test = await createTestApp({ listen });
  const { as, db } = test;
  const organization = await anOrganization(db);
  const person = (role: "manager" | "user", name: string) =>
    as({ organization, role, fields: { email: `${name}@fernworks.test`, first_name: name } });
  const [manager, kim, robin] = [
    await person("manager", "maria"),
    await person("user", "kim"),
    await person("user", "robin"),
  ];
  const everybody = await aGroup(db, organization, { name: "Everybody", is_default: true });
  const create = async (name: string, more: object = {}): Promise<Group> =>
    (await manager.post("/v1/groups", { name, ...more })).json();
  const tree = async (query = ""): Promise<Group[]> => (await manager.get(`/v1/groups${query}`)).json();
  return {
    ...test,
    organization,
    manager,
    kim,
    robin,
    stranger: await as({ role: "manager" }),
    everybody,
    create,
    tree,
  };
}

/** The status of a reply, and its code if it was refused. */
export const codeOf = async (reply: Promise<{ statusCode: number; body: string }>): Promise<string> =>
  outcomeOf(await reply);

/** The names of a tree: `["Lab", ["QA"]]`. */
export const namesOf = (groups: Group[]): unknown[] =>
  groups.flatMap(({ name, subgroups }) => (subgroups.length > 0 ? [name, namesOf(subgroups)] : [name]));
