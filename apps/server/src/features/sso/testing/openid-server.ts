import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";
import { onTestFinished, vi } from "vitest";

export interface Person {
  sub: string;
  email: string;
  email_verified: boolean;
  given_name?: string;
  family_name?: string;
  /** In the user info. */
  groups?: unknown;
}

const client = { id: "terrarium", secret: "a secret of the client" };

/** A real OpenID provider, at which one is signed in as a person of one's choice without being asked. */
export async function startOpenIdServer(redirectUri: string) {
  // It warns of what only tests do.
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  vi.spyOn(console, "info").mockImplementation(() => undefined);
  const http = createServer();
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const people = new Map<string, Person>();
  let chosen = "";
  const provider = new Provider(issuer, {
    clients: [{ client_id: client.id, client_secret: client.secret, redirect_uris: [redirectUri] }],
    cookies: { keys: ["one", "other"] },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["given_name", "family_name", "groups"] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_, sub) => ({ accountId: sub, claims: async () => ({ ...people.get(sub), sub }) }),
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    // Everything that is asked for is granted.
    async loadExistingGrant(ctx) {
      const grant = new ctx.oidc.provider.Grant({
        clientId: ctx.oidc.client?.clientId ?? "",
        accountId: ctx.oidc.session?.accountId ?? "",
      });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  });
  const serve = provider.callback();
  http.on("request", (request, response) => {
    if (!request.url?.startsWith("/interaction/")) return void serve(request, response);
    return void provider.interactionFinished(request, response, { login: { accountId: chosen } });
  });

  /** Whoever comes from now on is this person, unless they are signed in there already. */
  const be = (person: Person) => {
    people.set(person.sub, person);
    chosen = person.sub;
  };
  return {
    issuer,
    client,
    be,
    /** Follows the address of a sign-in as a browser of that person does; returns the query that leads back. */
    async visit(url: string, person: Person): Promise<Record<string, string>> {
      be(person);
      const cookies = new Map<string, string>();
      for (let next = url; ;) {
        if (next.startsWith(redirectUri)) return Object.fromEntries(new URL(next).searchParams);
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
        const reply = await fetch(next, { redirect: "manual", headers: { cookie } });
        for (const set of reply.headers.getSetCookie()) {
          const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
          cookies.set(name, value);
        }
        const location = reply.headers.get("location");
        if (location === null) throw new Error(`${next}: ${reply.status} ${await reply.text()}`);
        next = new URL(location, issuer).href;
      }
    },
  };
}
