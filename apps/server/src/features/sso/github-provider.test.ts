import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { githubProvider } from "./github-provider.ts";

const flow = {
  redirectUri: "https://devices.example/signin/sso/oauth/github/",
  state: "s",
  nonce: "n",
  verifier: "v".repeat(43),
};

/** GitHub as far as we use it, with these addresses of a person. It answers `refused` with 403. */
async function github(emails: object[], user: object = { id: 42, name: "Robin van der Reed" }, refused?: string) {
  const asked: { path: string; authorization: string | undefined; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      const path = request.url ?? "";
      asked.push({ path, authorization: request.headers.authorization, body });
      const answers: Record<string, unknown> = {
        "/login/oauth/access_token": { access_token: "gho_1", token_type: "bearer", scope: "read:user" },
        "/user": user,
        "/user/emails": emails,
      };
      response.writeHead(path in answers && path !== refused ? 200 : 403, { "content-type": "application/json" });
      response.end(JSON.stringify(answers[path] ?? {}));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = { id: "ours", secret: "secret" };
  return {
    asked,
    site,
    provider: githubProvider({ name: "github-saas", label: "GitHub", isStandIn: false, client, site, api: site }),
  };
}
const address = (fields: object) => ({ email: "Robin@Example.com", primary: true, verified: true, ...fields });

describe("signing in with GitHub", () => {
  it("sends people to its page, with PKCE", async () => {
    const client = { id: "ours", secret: "secret" };
    const url = new URL(
      await githubProvider({ name: "github-saas", label: "GitHub", isStandIn: false, client }).begin(flow),
    );
    expect(url.origin + url.pathname).toBe("https://github.com/login/oauth/authorize");
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: "ours",
      scope: "read:user user:email",
      state: "s",
      code_challenge_method: "S256",
    });
  });

  it("knows somebody by the number of the account, and by the primary address if it is verified", async () => {
    const { provider, site, asked } = await github([
      address({ email: "other@example.com", primary: false }),
      address({}),
    ]);
    const profile = await provider.finish(flow, { code: "c", state: "s", iss: `${site}/login/oauth` });
    expect(profile).toEqual({
      issuer: `${site}/login/oauth`,
      subject: "42",
      email: "robin@example.com",
      isAuthoritative: false,
      firstName: "Robin",
      lastName: "van der Reed",
    });
    expect(asked[0]?.body).toContain(`code_verifier=${flow.verifier}`);
    expect(asked.slice(1).map(({ authorization }) => authorization)).toEqual(["Bearer gho_1", "Bearer gho_1"]);
  });

  it.each([
    ["is not verified", [address({ verified: false })]],
    ["is not the primary one", [address({ primary: false })]],
    ["is none", []],
  ])("takes no address that %s", async (_, emails) => {
    const { provider } = await github(emails);
    expect((await provider.finish(flow, { code: "c", state: "s" })).email).toBeUndefined();
  });

  it.each(["/user", "/user/emails"])("takes nothing from a refusal of %s", async (path) => {
    const { provider } = await github([address({})], undefined, path);
    await expect(provider.finish(flow, { code: "c", state: "s" })).rejects.toThrow(`${path} was answered with 403`);
  });

  it("sends people over plain http to this machine alone", async () => {
    const named = { name: "github-saas", label: "GitHub", isStandIn: false, client: { id: "ours", secret: "secret" } };
    await expect(githubProvider({ ...named, site: "http://localhost:1" }).begin(flow)).resolves.toMatch(/^http:/);
    await expect(githubProvider({ ...named, site: "http://github.example" }).begin(flow)).rejects.toThrow("HTTPS");
  });

  it("does without a name", async () => {
    const { provider } = await github([address({})], { id: 42, name: null });
    expect(await provider.finish(flow, { code: "c", state: "s" })).toMatchObject({ firstName: "", lastName: "" });
  });

  it.each([
    ["another provider led back", { code: "c", state: "s", iss: "https://accounts.google.com" }],
    ["there is another state", { code: "c", state: "t" }],
    ["there is an error", { error: "access_denied", state: "s" }],
  ])("asks for no token if %s", async (_, query) => {
    const { provider, asked } = await github([address({})]);
    await expect(provider.finish(flow, query as unknown as Record<string, string>)).rejects.toThrow(/./);
    expect(asked).toEqual([]);
  });
});
