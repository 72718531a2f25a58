import { describe, expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { outcomeOf } from "../../testing/sharing.ts";

/** A demonstration that plays its providers itself. */
async function demonstration() {
  const test = await createTestApp({ listen: true, standIn: { accounts: [{ email: "guest@demo.test" }] } });
  const { call, port } = test;
  const host = `localhost:${port}`;
  const begin = async (provider: string, page: string) => {
    const redirect_uri = `http://${host}/signin/sso/oauth/${page}/`;
    const query = new URLSearchParams({ provider, redirect_uri });
    return (await call("GET", `/v1/sso/oauth/login-url/?${query}`, { headers: { host } })).json<{ url: string }>().url;
  };
  /** Chooses somebody on the provider's page; returns what leads back. */
  const choose = async (url: string, email: string) => {
    const reply = await fetch(`${url}&as=${encodeURIComponent(email)}`, { redirect: "manual" });
    return Object.fromEntries(new URL(reply.headers.get("location") ?? "").searchParams);
  };
  const finish = (provider: string, back: Record<string, string>) =>
    call("GET", `/v1/sso/oauth/callback/?${new URLSearchParams({ provider, ...back })}`);
  return { ...test, begin, choose, finish, url: `http://${host}/stand-in` };
}

describe.each([
  ["google", "google"],
  ["github-saas", "github"],
])("the stand-in for %s", (provider, page) => {
  it("says what it is, and offers the demo accounts", async () => {
    const { begin } = await demonstration();
    const html = await (await fetch(await begin(provider, page))).text();
    expect(html).toContain(page === "google" ? "Stand-in for Google" : "Stand-in for GitHub");
    expect(html).toContain("guest@demo.test");
  });

  it("signs in whoever is chosen, the same account each time", async () => {
    const { begin, choose, finish } = await demonstration();
    const signIn = async () => finish(provider, await choose(await begin(provider, page), "Robin@Example.com"));
    const [first, second] = [await signIn(), await signIn()];
    expect([first.statusCode, first.json().user]).toMatchObject([
      200,
      { email: "robin@example.com", first_name: "Robin", organization: null },
    ]);
    expect(second.json().user.uuid).toBe(first.json().user.uuid);
  });

  it("gives each code once, and only to us", async () => {
    const { begin, choose, finish, url } = await demonstration();
    const back = await choose(await begin(provider, page), "robin@example.com");
    const body = new URLSearchParams({
      ...back,
      code_verifier: "guess",
      redirect_uri: "http://localhost/",
      client_id: "terrarium",
      client_secret: "guess",
    });
    const path = page === "google" ? "/token" : "/login/oauth/access_token";
    expect((await fetch(url + path, { method: "POST", body })).status).toBe(400);
    expect(outcomeOf(await finish(provider, back))).toBe("400 SSO_FAILED");
  });

  it("remembers the last thousand codes only", async () => {
    const { app, begin, choose, finish } = await demonstration();
    const url = await begin(provider, page);
    const back = await choose(url, "robin@example.com");
    const path = url.slice(new URL(url).origin.length);
    for (let times = 0; times < 1000; times++) await app.http.inject(`${path}&as=kim@example.com`);
    expect(outcomeOf(await finish(provider, back))).toBe("400 SSO_FAILED");
  });

  it("leads back to this machine only", async () => {
    const { begin } = await demonstration();
    const url = new URL(await begin(provider, page));
    url.searchParams.set("redirect_uri", "https://evil.example/signin/sso/oauth/google/");
    url.searchParams.set("as", "robin@example.com");
    expect((await fetch(url, { redirect: "manual" })).status).toBe(400);
  });
});

it("is not there where it is not asked for, and the settings show no providers", async () => {
  const { port, call } = await createTestApp({ listen: true });
  expect((await fetch(`http://localhost:${port}/stand-in/keys`)).status).toBe(404);
  expect((await call("GET", "/v1/settings")).json().sso_providers).toEqual([]);
});

it("is offered as a stand-in", async () => {
  const { call } = await demonstration();
  expect((await call("GET", "/v1/settings")).json().sso_providers).toEqual([
    { name: "google", label: "Google", is_stand_in: true },
    { name: "github-saas", label: "GitHub", is_stand_in: true },
  ]);
});
