import type { Clock } from "@terrarium/clock";
import { AppError, type PublicSettings } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { domainOf } from "../../platform/mail/domain-of.ts";
import type { Sealer } from "../../platform/sealer.ts";
import { githubProvider } from "./github-provider.ts";
import type { Client } from "./oauth-client.ts";
import { companySpeaksFor, configurations, googleSpeaksFor, openIdProvider } from "./openid-provider.ts";
import type { Provider } from "./provider.ts";
import { findProviderOf, hasProviders, type OrganizationProviderRow } from "./sso.store.ts";

/** The name of whichever provider the organization of an address has. */
export const ORGANIZATION = "organization";

const GOOGLE = "https://accounts.google.com";

/** With whom people may sign in, according to the settings. */
export interface ProviderSettings {
  google?: Client | undefined;
  github?: Client | undefined;
  /** The operator's own. */
  company?: { issuer: string; client: Client; label: string; domains: readonly string[] } | undefined;
  /** Where a demonstration plays Google and GitHub itself. */
  standIn?: { url: () => string; client: Client } | undefined;
}

/** The page of ours that a provider leads back to. */
export const callbackPathOf = (provider: string): string =>
  `/signin/sso/oauth/${provider === "github-saas" ? "github" : provider}/`;

interface ProvidersDeps {
  db: Database;
  clock: Clock;
  settings: ProviderSettings;
  secrets: Sealer;
}

/** All providers: those of the settings, and those of organizations, which the operator's tool stores in the database. */
export class Providers {
  readonly #db: Database;
  readonly #configs: ReturnType<typeof configurations>;
  readonly #settings: ProviderSettings;
  readonly #secrets: Sealer;
  #byName: ReadonlyMap<string, Provider> | undefined;

  /** @param deps.secrets `clientSecrets` */
  constructor({ db, clock, settings, secrets }: ProvidersDeps) {
    this.#db = db;
    this.#configs = configurations(clock);
    this.#settings = settings;
    this.#secrets = secrets;
  }

  /** Made when the first is asked for: the address of a stand-in is known when the service listens. */
  get #named(): ReadonlyMap<string, Provider> {
    return (this.#byName ??= new Map(this.#fromSettings().map((provider) => [provider.name, provider])));
  }

  /** Whether the settings name it; those of organizations have no names. */
  has(name: string): boolean {
    return this.#named.has(name);
  }

  /** Those that the sign-in page offers. */
  async shown(): Promise<PublicSettings["sso_providers"]> {
    const shown = [...this.#named.values()].map(({ name, label, isStandIn }) => ({
      name,
      label,
      is_stand_in: isStandIn,
    }));
    return (await hasProviders(this.#db))
      ? [...shown, { name: ORGANIZATION, label: "your organization", is_stand_in: false }]
      : shown;
  }

  /**
   * A provider by its name; that of an organization by an address at its domain, or by the organization.
   * @throws AppError SSO_PROVIDER_NOT_FOUND
   */
  async find(name: string, of: { email?: string | undefined; organization?: string | null }): Promise<Provider> {
    const provider = name === ORGANIZATION ? await this.#ofOrganization(of) : this.#named.get(name);
    if (!provider) throw new AppError("SSO_PROVIDER_NOT_FOUND");
    return provider;
  }

  async #ofOrganization({ email, organization }: Parameters<Providers["find"]>[1]): Promise<Provider | undefined> {
    const row = organization
      ? await findProviderOf(this.#db, { organization_uuid: organization })
      : email && (await findProviderOf(this.#db, { domain: domainOf(email) }));
    return row ? this.#fromRow(row) : undefined;
  }

  #fromRow(row: OrganizationProviderRow): Provider {
    const secret = this.#secrets.open(row.sealed_secret, row.organization_uuid).toString();
    return openIdProvider(this.#configs, {
      name: ORGANIZATION,
      label: row.domain,
      isStandIn: false,
      organization: row.organization_uuid,
      issuer: row.issuer,
      client: { id: row.client_id, secret },
      speaksFor: companySpeaksFor([row.domain]),
      groupsClaim: row.groups_claim ?? undefined,
    });
  }

  #fromSettings(): Provider[] {
    const { google, github, company, standIn } = this.#settings;
    const own = { isStandIn: false };
    const asGoogle = { name: "google", label: "Google", speaksFor: googleSpeaksFor };
    const asGithub = { name: "github-saas", label: "GitHub" };
    const played = standIn && { isStandIn: true, client: standIn.client };
    return [
      ...(google ? [openIdProvider(this.#configs, { ...asGoogle, ...own, issuer: GOOGLE, client: google })] : []),
      ...(github ? [githubProvider({ ...asGithub, ...own, client: github })] : []),
      ...(company
        ? [
            openIdProvider(this.#configs, {
              ...own,
              ...company,
              name: "oidc",
              speaksFor: companySpeaksFor(company.domains),
            }),
          ]
        : []),
      ...(played
        ? [
            openIdProvider(this.#configs, { ...asGoogle, ...played, issuer: standIn.url() }),
            githubProvider({ ...asGithub, ...played, site: standIn.url(), api: `${standIn.url()}/api` }),
          ]
        : []),
    ];
  }
}
