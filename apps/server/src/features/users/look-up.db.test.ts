import { limits, type User } from "@terrarium/contract";
import { expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { anOrganization, aUser } from "../../testing/factories.ts";

/** Kim, a colleague, a guest, a stranger, and people who cannot sign in. */
async function people() {
  const { as, db } = await createTestApp();
  const organization = await anOrganization(db);
  const kim = await as({ organization, fields: { email: "kim@fern.test", front_preferences: { a: 1 } } });
  const fields = { first_name: "Gil", front_preferences: { b: 2 } };
  const guest = await aUser(db, { role: "guest", fields: { ...fields, email: "gil@moss.test" } });
  await aUser(db, { role: "guest", fields: { email: "disabled@moss.test", is_enabled: false } });
  await aUser(db, { role: "guest", fields: { email: "pending@moss.test", is_validated: false } });
  await aUser(db, { fields: { email: "stranger@moss.test" } });
  const emails = "kim@fern.test,GIL@moss.test,disabled@moss.test,pending@moss.test,stranger@moss.test,nobody@moss.test";
  const find = async (query: string) => {
    const { count, results } = (await kim.get(`/v2/users?${query}`)).json<{ count: number; results: User[] }>();
    expect(count).toBe(results.length);
    return results;
  };
  return { kim, guest, emails, find };
}

const emailsOf = (users: User[]) => users.map(({ email }) => email).sort();

it("finds colleagues and guests by their addresses, and tells nothing personal of guests", async () => {
  const { guest, emails, find } = await people();
  const found = await find(`field=email&users=${emails}`);
  expect(emailsOf(found)).toEqual(["gil@moss.test", "kim@fern.test"]);
  expect(found.find(({ uuid }) => uuid === guest.uuid)).toMatchObject({
    email: "gil@moss.test",
    first_name: "",
    last_name: "",
    organization: null,
    front_preferences: {},
  });
  expect(found.find(({ email }) => email === "kim@fern.test")).toMatchObject({
    first_name: "Robin",
    last_name: "Reed",
  });
});

it.each([
  ["by part of their address", "search=gil@moss.test"],
  ["by their name", "users=gil@moss.test&search=Gil&search_field=first_name"],
  ["in the order of names", "users=gil@moss.test&ordering=first_name"],
  ["by uuid", "field=uuid&users=gil@moss.test"],
  [
    "among more than may be asked for",
    `users=gil@moss.test,${Array.from({ length: limits.shareRecipients }, (_, index) => `${index}@moss.test`).join(",")}`,
  ],
])("does not find guests %s", async (_, query) => {
  const { find } = await people();
  expect(await find(query)).toEqual([]);
});
