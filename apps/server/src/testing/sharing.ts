import type { Share } from "@terrarium/contract";
import { sql } from "kysely";
import { createTestApp } from "./app.ts";
import { aCustom, anOrganization } from "./factories.ts";

/**
 * Robin, whose recipe has private parts, the colleague Kim and their manager; Otto and Oona of another organization, its manager, and the
 * guest Gil.
 */
export async function sharing({
  listen = false,
  publicUrl,
  ...organization
}: { listen?: boolean; publicUrl?: string; instances_max?: number } = {}) {
  const test = await createTestApp({ listen, publicUrl });
  const { db, as } = test;
  const [own, other] = [await anOrganization(db, organization), await anOrganization(db, { name: "Mossworks" })];
  const person = (name: string, options: Parameters<typeof as>[0]) =>
    as({ ...options, fields: { email: `${name}@${name}s.test`, first_name: name } });
  const people = {
    robin: await person("robin", { organization: own }),
    kim: await person("kim", { organization: own }),
    manager: await person("manager", { organization: own, role: "manager" }),
    otto: await person("otto", { organization: other }),
    oona: await person("oona", { organization: other }),
    stranger: await person("stranger", { organization: other, role: "manager" }),
    gil: await person("gil", { role: "guest" }),
  };
  const { robin } = people;
  const parts = {
    hardware_profile_uuid: await aCustom(db, "hardware_profiles", robin.user, { name: "Robin's phone" }),
    os_image_uuid: await aCustom(db, "os_images", robin.user, { name: "Robin's image" }),
  };
  const recipe = await aCustom(db, "recipes", robin.user, { name: "Fern", ...parts });
  const uuidOf = ({ user }: { user: { uuid: string } }) => user.uuid;
  return {
    ...test,
    ...people,
    people,
    own,
    other,
    parts,
    recipe,
    uuidOf,
    shareAs: (whoever: typeof robin, body: object) => whoever.post(`/v1/recipes/${recipe}/share`, body),
    /** Robin shares the recipe with these people, by uuid. */
    share: async (...users: { user: { uuid: string } }[]) =>
      (await robin.post(`/v1/recipes/${recipe}/share`, { recipients: { users: users.map(uuidOf) } })).json<Share>(),
    startAs: (whoever: typeof robin, name = "one") =>
      whoever.post(`/v1/recipes/${recipe}/start-disposable`, { instance_name: name }),
    mails: async () => {
      const { rows } = await sql<{ to_address: string; subject: string; text: string; html: string }>`
        SELECT to_address, subject, text, html FROM mails ORDER BY to_address`.execute(db);
      return rows;
    },
  };
}

/** The status of an answer, and its code if it has one. */
export const outcomeOf = (answer: { statusCode: number; body: string }): string => {
  const { code } = (answer.body === "" ? {} : JSON.parse(answer.body)) as { code?: string };
  return [answer.statusCode, ...(code === undefined ? [] : [code])].join(" ");
};
