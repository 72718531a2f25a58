import { contract, type User } from "@terrarium/contract";
import { describe, expect, it } from "vitest";
import { showsNewRights, userRefresher } from "./fresh-user.ts";
import { SessionStore } from "./session.ts";

const token = `x.${btoa(JSON.stringify({ exp: 4_000_000_000 }))}.y`;
const mara = { uuid: "m", is_organization_manager: false, tnc_accepted: false } as User;

/** A session, and a service that answers when the test says so. */
function open({ isSignedIn = true } = {}) {
  const storage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };
  const session = new SessionStore(storage as unknown as Storage);
  if (isSignedIn) session.open({ token, user: mara });
  const asked: { uuid: string; answer: PromiseWithResolvers<User> }[] = [];
  const refresh = userRefresher(session, (uuid) => {
    const answer = Promise.withResolvers<User>();
    asked.push({ uuid, answer });
    return answer.promise;
  });
  return { session, asked, refresh };
}

describe("reading the user anew", () => {
  it("keeps what the service says now, and the token", async () => {
    const { session, asked, refresh } = open();
    const done = refresh();
    asked[0]?.answer.resolve({ ...mara, is_organization_manager: true });
    await done;
    expect(session.current).toEqual({ token, user: { ...mara, is_organization_manager: true } });
    expect(asked[0]?.uuid).toBe("m");
  });

  it("asks once more for all who ask while it reads, as what they heard of may be newer, and again later", async () => {
    const { session, asked, refresh } = open();
    const all = [refresh(), refresh(), refresh()];
    expect(asked.length).toBe(1);
    asked[0]?.answer.resolve(mara);
    await expect.poll(() => asked.length).toBe(2);
    asked[1]?.answer.resolve({ ...mara, is_organization_manager: true });
    await Promise.all(all);
    expect([asked.length, session.current?.user.is_organization_manager]).toEqual([2, true]);
    void refresh();
    expect(asked.length).toBe(3);
  });

  it("tells nobody when nothing has changed", async () => {
    const { session, asked, refresh } = open();
    let told = 0;
    session.subscribe(() => told++);
    const done = refresh();
    asked[0]?.answer.resolve({ ...mara });
    await done;
    expect(told).toBe(0);
  });

  it("does not undo what changed while it read, such as terms just accepted", async () => {
    const { session, asked, refresh } = open();
    const done = refresh();
    session.update({ ...mara, tnc_accepted: true });
    asked[0]?.answer.resolve({ ...mara, first_name: "Old" });
    await done;
    expect(session.current?.user).toEqual({ ...mara, tnc_accepted: true });
  });

  it("does not bring back a session that was closed meanwhile", async () => {
    const { session, asked, refresh } = open();
    const done = refresh();
    session.close();
    asked[0]?.answer.resolve({ ...mara, tnc_accepted: true });
    await done;
    expect(session.current).toBeUndefined();
  });

  it("changes nothing when the service does not answer, and tries again when asked again", async () => {
    const { session, asked, refresh } = open();
    const done = refresh();
    asked[0]?.answer.reject(new Error("away"));
    await done;
    expect(session.current?.user).toBe(mara);
    void refresh();
    expect(asked.length).toBe(2);
  });

  it("asks for nobody while nobody is signed in", async () => {
    const { asked, refresh } = open({ isSignedIn: false });
    await refresh();
    expect(asked).toEqual([]);
  });
});

it.each([
  ["FORBIDDEN", contract.instances.list, true],
  ["TERMS_NOT_ACCEPTED", contract.instances.list, true],
  ["RECIPE_NOT_FOUND", contract.instances.list, false],
  // The reading itself would ask for ever.
  ["FORBIDDEN", contract.users.get, false],
] as const)("%s tells of new rights or not", (code, route, tells) => {
  expect(showsNewRights({ code }, route)).toBe(tells);
});
