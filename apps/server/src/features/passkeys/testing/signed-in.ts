import { sql } from "kysely";
import { createTestApp } from "../../../testing/app.ts";
import { SoftwareAuthenticator } from "./software-authenticator.ts";

export const publicUrl = "https://devices.example";
type Options = Parameters<typeof createTestApp>[0];

export interface Shown {
  uuid: string;
  name: string;
  last_used_at: string | null;
  is_synced: boolean;
  works_here: boolean;
}

/** Robin, signed in, at an installation with an address of its own. */
export async function signedIn(options: Options = {}) {
  const test = await createTestApp({ publicUrl, ...options });
  const robin = await test.as();
  type Person = typeof robin;
  const pathOf = ({ user }: Person) => `/v1/users/${user.uuid}/passkeys`;
  const begin = (person = robin, password = person.user.password) =>
    person.post(`${pathOf(person)}/options`, { password });
  const finish = (credential: object, person = robin, name = "My phone") =>
    person.post(pathOf(person), { name, credential });
  /** Adds a passkey as its owner does; returns the authenticator. */
  const add = async (person = robin, name?: string) => {
    const authenticator = new SoftwareAuthenticator(publicUrl);
    const added = await finish(authenticator.make((await begin(person)).json()), person, name);
    return { authenticator, added, uuid: added.json<Shown>().uuid };
  };
  const ask = async () => (await test.call("POST", "/v1/passkeys/options")).json<{ challenge: string; rpId: string }>();
  const login = (credential: object, more: object = {}) =>
    test.call("POST", "/v1/passkeys/login", { body: { credential, ...more } });
  return {
    ...test,
    robin,
    begin,
    finish,
    add,
    ask,
    login,
    signIn: async (authenticator: SoftwareAuthenticator) => login(authenticator.use(await ask())),
    shown: async (person = robin) => (await person.get(pathOf(person))).json<{ passkeys: Shown[] }>().passkeys,
    pathOf,
    mails: async () => {
      const { rows } = await sql<{ to_address: string; subject: string; text: string }>`
        SELECT to_address, subject, text FROM mails ORDER BY created_at`.execute(test.db);
      return rows;
    },
  };
}
