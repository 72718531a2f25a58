import type { Contract } from "@terrarium/contract";
import { randomUUID } from "node:crypto";
import { aSubscription } from "../features/billing/testing/plans.ts";
import { aCapture } from "../features/captures/testing/a-capture.ts";
import { moveInstance } from "../features/instances/move-instance.ts";
import { anInvoice, billTo, type InvoiceOptions } from "../features/invoices/testing/an-invoice.ts";
import type { TestApp } from "./app.ts";
import { trialForm } from "./plan-requests.ts";
import { aCustom, anOrganization, type OwnedTable } from "./factories.ts";

/** A route for one item, and the statuses that members of its organization get. */
interface OnOne {
  /** For the owner. */
  own: number;
  /** For an API token of the owner, if that is not the same. */
  program?: number;
  /** For the manager of the owner. */
  managed: number;
  /** For other members. */
  colleagues: number;
  /** The body, if the route needs one. */
  body?(uuid: string, tenant: Tenant): object;
  /** The route is for items that have ended by themselves. */
  ended?: true;
}

/** Who of an organization sees an item in a list, with one query or another. */
export const listed = {
  list: ["owner", "manager", "colleague"],
  "managed list": ["owner", "manager"],
  "list for managers": ["manager"],
  "own list": ["owner"],
} as const satisfies Record<string, ("owner" | "manager" | "colleague")[]>;

/** `notOwned` says why a route concerns no item of an organization. */
export type Entry = OnOne | keyof typeof listed | { notOwned: string };

const forOperators = { notOwned: "it is for operators" };

/**
 * What of the contract belongs to one organization, for `roles/tenancy.db.test.ts`: it tests that others see none of it. For each noun,
 * `item` creates one for the tenant's owner and returns its identifier, or says why none belongs to an organization. A missing noun or
 * route does not compile. Whatever the entry, every GET route is checked for leaks to other organizations.
 */
export const tenancy: {
  [Noun in keyof Contract]: {
    item: ((tenant: Tenant) => Promise<string>) | { notOwned: string };
    routes: { [Verb in keyof Contract[Noun]]: Entry };
  };
} = {
  users: {
    item: async ({ owner }) => owner.user.uuid,
    routes: {
      login: { notOwned: "it authenticates the caller" },
      signout: { notOwned: "it ends the caller's own session" },
      acceptTerms: { notOwned: "it changes the caller" },
      get: { own: 200, managed: 200, colleagues: 200 },
      update: { own: 200, managed: 200, colleagues: 403, body: () => ({ first_name: "Rowan" }) },
      list: "list",
    },
  },
  accounts: {
    item: { notOwned: "whoever signs up has no organization yet" },
    routes: {
      create: { notOwned: "it mails a link to the address" },
      puzzle: { notOwned: "it is for everybody" },
      activate: { notOwned: "the link is the credential" },
      resendLink: { notOwned: "it mails a link to the address" },
    },
  },
  sessions: {
    // `own-sessions.db.test.ts` tries that nobody but their owner sees or ends them.
    item: { notOwned: "they belong to one person" },
    routes: {
      list: { notOwned: "it lists the caller's own" },
      end: { notOwned: "it ends one of the caller's own" },
      endOthers: { notOwned: "it ends the caller's own" },
    },
  },
  secondFactor: {
    item: async ({ owner }) => owner.user.uuid,
    routes: {
      get: { own: 200, managed: 403, colleagues: 403 },
      beginTotp: { own: 403, managed: 403, colleagues: 403, body: () => ({ password: "wrong horse 1" }) },
      addTotp: { notOwned: "it takes a session; `second-factor.db.test.ts` tries others" },
      removeTotp: { own: 403, managed: 403, colleagues: 403, body: () => ({ password: "wrong horse 1" }) },
      renewCodes: { own: 403, managed: 403, colleagues: 403, body: () => ({ password: "wrong horse 1" }) },
      confirm: { notOwned: "the ticket is the credential" },
      beginRequiredTotp: { notOwned: "the ticket is the credential" },
      addRequiredTotp: { notOwned: "the ticket is the credential" },
    },
  },
  passwords: {
    item: { notOwned: "whoever has a mailed link sets the password of one account" },
    routes: {
      change: { notOwned: "it changes the caller" },
      requestLink: { notOwned: "it mails the account with the address" },
      checkLink: { notOwned: "the link is the credential" },
      reset: { notOwned: "the link is the credential" },
    },
  },
  passkeys: {
    item: { notOwned: "how somebody signs in is theirs alone" },
    routes: {
      list: { notOwned: "only the caller's own; `passkeys.db.test.ts` tries others" },
      addOptions: { notOwned: "only the caller's own; `passkeys.db.test.ts` tries others" },
      add: { notOwned: "only the caller's own; `passkeys.db.test.ts` tries others" },
      rename: { notOwned: "only the caller's own; `passkeys.db.test.ts` tries others" },
      remove: { notOwned: "only the caller's own; `passkeys.db.test.ts` tries others" },
      signInOptions: { notOwned: "it authenticates the caller" },
      signIn: { notOwned: "it authenticates the caller" },
      confirmOptions: { notOwned: "the ticket is the credential" },
      confirm: { notOwned: "the ticket is the credential" },
      requiredOptions: { notOwned: "the ticket is the credential" },
      addRequired: { notOwned: "the ticket is the credential" },
    },
  },
  sso: {
    item: async ({ owner }) => owner.user.uuid,
    routes: {
      loginUrl: { notOwned: "it authenticates the caller" },
      callback: { notOwned: "it authenticates the caller" },
      linkUrl: { notOwned: "it is for the caller's own account" },
      link: { notOwned: "it is for the caller's own account" },
      identities: { own: 200, managed: 403, colleagues: 403 },
      unlink: { notOwned: "only the caller's own; `identities.db.test.ts` tries others" },
    },
  },
  invitations: {
    item: async ({ manager, marker }) => {
      const sent = await manager.post("/v1/accounts/invites", { emails: [`invited@${marker}.test`], message: marker });
      return sent.json<{ results: { uuid: string }[] }>().results[0]?.uuid ?? "";
    },
    routes: {
      invite: { notOwned: "it invites to the caller's own organization" },
      resend: { notOwned: "it takes several; `invitations.db.test.ts` tries those of others" },
      list: "list for managers",
      cancel: { own: 403, managed: 204, colleagues: 403 },
      get: { notOwned: "the link is the credential" },
      accept: { notOwned: "the link is the credential" },
    },
  },
  profile: {
    item: async ({ owner }) => owner.user.uuid,
    routes: {
      deletion: { own: 200, managed: 403, colleagues: 403 },
      // With a wrong password, as the owner is still needed.
      remove: { own: 403, managed: 403, colleagues: 403, body: () => ({ password: "wrong horse 1" }) },
      export: { own: 200, program: 403, managed: 403, colleagues: 403 },
    },
  },
  organizations: {
    item: async ({ organization }) => organization,
    routes: {
      get: { own: 200, managed: 200, colleagues: 200 },
      edit: { own: 403, managed: 200, colleagues: 403, body: () => ({ name: "Edited" }) },
      // With a wrong password, as the rule would end sessions that are still needed.
      requireSecondFactor: {
        own: 403,
        managed: 403,
        colleagues: 403,
        body: () => ({ is_required: true, password: "wrong horse 1" }),
      },
    },
  },
  budgets: {
    item: async ({ manager, marker }) => {
      const name = `${marker} ${randomUUID()}`;
      const { uuid: group_uuid } = (await manager.post("/v1/groups", { name })).json<{ uuid: string }>();
      const made = await manager.post("/v1/budgets", { group_uuid, unit: "minutes", limit: 60 });
      return made.json<{ uuid: string }>().uuid;
    },
    routes: {
      list: "list for managers",
      create: { notOwned: "it creates one in the caller's own organization" },
      edit: { own: 403, managed: 200, colleagues: 403, body: () => ({ limit: 90 }) },
      // It is not used up.
      extend: { own: 403, managed: 409, colleagues: 403 },
      delete: { own: 403, managed: 204, colleagues: 403 },
    },
  },
  groups: {
    item: async ({ manager, marker }) =>
      (await manager.post("/v1/groups", { name: `${marker} ${randomUUID()}`, description: marker })).json<{
        uuid: string;
      }>().uuid,
    routes: {
      list: "list for managers",
      create: { notOwned: "it creates one in the caller's own organization" },
      edit: { own: 403, managed: 200, colleagues: 403, body: () => ({ description: "another" }) },
      delete: { own: 403, managed: 204, colleagues: 403 },
      users: { own: 403, managed: 200, colleagues: 403 },
      addUsers: {
        own: 403,
        managed: 200,
        colleagues: 403,
        body: (_, { owner }) => ({ user_uuids: [owner.user.uuid] }),
      },
      moveUsers: {
        own: 403,
        managed: 200,
        colleagues: 403,
        body: (_, { owner }) => [{ user_uuid: owner.user.uuid, original_group_uuid: null }],
      },
      removeUsers: {
        own: 403,
        managed: 204,
        colleagues: 403,
        body: (_, { owner }) => ({ user_uuids: [owner.user.uuid] }),
      },
    },
  },
  imports: {
    item: { notOwned: "it is not kept" },
    routes: { addUsersToGroups: { notOwned: "it takes a file; `imports.db.test.ts` tries others" } },
  },
  signInRules: {
    item: async ({ organization }) => organization,
    routes: {
      get: { own: 403, managed: 200, colleagues: 403 },
      // With a wrong password, as the organization is still needed.
      set: { own: 403, managed: 403, colleagues: 403, body: () => ({ password: "wrong horse 1", session_hours: 1 }) },
    },
  },
  provisioning: {
    item: async ({ organization }) => organization,
    routes: {
      get: { own: 403, managed: 200, colleagues: 403 },
      // With a wrong password, as an organization can have two alone.
      createToken: { own: 403, managed: 403, colleagues: 403, body: () => ({ password: "wrong horse 1" }) },
      revokeToken: { notOwned: "it takes two identifiers; `provisioning.db.test.ts` tries others" },
      // It has no provider.
      setClaim: { own: 403, managed: 409, colleagues: 403, body: () => ({ claim: "groups", groups: [] }) },
    },
  },
  recipes: {
    item: ({ copy, hardware, image }) => copy("recipes", { hardware_profile_uuid: hardware, os_image_uuid: image }),
    routes: {
      list: "list",
      listByKind: "list",
      get: { own: 200, managed: 200, colleagues: 200 },
      create: { notOwned: "it creates one for the caller" },
      edit: { own: 200, managed: 200, colleagues: 403, body: () => ({ description: "edited" }) },
      delete: { own: 204, managed: 204, colleagues: 403 },
      hardwareProfile: { own: 200, managed: 200, colleagues: 200 },
      osImage: { own: 200, managed: 200, colleagues: 200 },
      start: {
        own: 201,
        managed: 201,
        colleagues: 201,
        body: () => ({ instance_name: "one", rename_on_conflict: true }),
      },
      share: {
        own: 201,
        managed: 201,
        colleagues: 403,
        body: (_, { organization }) => ({ organizations: [organization] }),
      },
      // It was never saved.
      rollBack: { own: 409, managed: 409, colleagues: 403 },
    },
  },
  shares: {
    item: async ({ copy, create, organization, marker }) =>
      create(`/v1/recipes/${await copy("recipes")}/share`, { organizations: [organization], message: marker }),
    routes: {
      get: { own: 200, managed: 200, colleagues: 403 },
      update: { own: 200, managed: 200, colleagues: 403, body: () => ({ message: "another" }) },
      delete: { own: 204, managed: 204, colleagues: 403 },
    },
  },
  hardwareProfiles: {
    item: ({ copy }) => copy("hardware_profiles"),
    routes: {
      list: "list",
      get: { own: 200, managed: 200, colleagues: 200 },
      create: { notOwned: "it creates one for the caller" },
      edit: { own: 200, managed: 200, colleagues: 403, body: () => ({ name: "another" }) },
      delete: { own: 204, managed: 204, colleagues: 403 },
    },
  },
  osImages: {
    item: ({ copy }) => copy("os_images"),
    routes: {
      list: "list",
      get: { own: 200, managed: 200, colleagues: 200 },
      duplicate: { own: 201, managed: 201, colleagues: 201, body: () => ({ name: "another" }) },
      edit: { own: 200, managed: 200, colleagues: 403, body: () => ({ name: "another" }) },
      delete: { own: 204, managed: 204, colleagues: 403 },
    },
  },
  instances: {
    item: async ({ owner, marker }) => (await owner.start({ instance_name: marker })).json<{ uuid: string }>().uuid,
    routes: {
      list: "managed list",
      get: { own: 200, managed: 200, colleagues: 403 },
      stop: { own: 200, managed: 200, colleagues: 403 },
      // It is not online.
      save: { own: 409, managed: 403, colleagues: 403, body: () => ({ action: "update" }) },
      dismiss: { own: 204, managed: 204, colleagues: 403, ended: true },
      // It is not online.
      extend: { own: 409, managed: 409, colleagues: 403 },
      installApp: { own: 409, managed: 403, colleagues: 403 },
      accessToken: { own: 200, managed: 403, colleagues: 403, body: (uuid) => ({ instance_uuid: uuid }) },
    },
  },
  scenarios: {
    item: async ({ owner, marker }) => (await owner.start({ instance_name: marker })).json<{ uuid: string }>().uuid,
    // It is not online.
    routes: {
      start: { own: 409, managed: 403, colleagues: 403, body: () => ({ scenario: { steps: [{ clipboard: "x" }] } }) },
      get: { own: 409, managed: 403, colleagues: 403 },
      change: { own: 409, managed: 403, colleagues: 403, body: () => ({ status: "paused" }) },
      recorded: { own: 409, managed: 403, colleagues: 403 },
    },
  },
  liveSessions: {
    item: async ({ owner, create, marker }) => {
      const { uuid: instance } = (await owner.start({ instance_name: marker })).json<{ uuid: string }>();
      return create("/v1/livesessions", { instance });
    },
    routes: {
      list: "own list",
      get: { own: 200, managed: 403, colleagues: 403 },
      create: { notOwned: "it creates one for the caller" },
      delete: { own: 204, managed: 403, colleagues: 403 },
      invite: {
        own: 404,
        managed: 403,
        colleagues: 403,
        body: (livesession) => ({ livesession, invitations: ["nobody@fernworks.test"] }),
      },
      // None is called by the identifier of a session.
      setControl: { own: 404, managed: 404, colleagues: 404, body: () => ({ can_control: true }) },
      remove: { own: 404, managed: 404, colleagues: 404 },
    },
  },
  captures: {
    item: ({ capture }) => capture(),
    routes: {
      list: "managed list",
      get: { own: 200, managed: 404, colleagues: 404 },
      download: { own: 200, managed: 404, colleagues: 404 },
      delete: { own: 204, managed: 204, colleagues: 404 },
    },
  },
  embedLinks: {
    item: async ({ owner, marker }) => {
      const { uuid } = (await owner.start({ instance_name: marker })).json<{ uuid: string }>();
      await owner.post(`/v1/instances/${uuid}/embed-links`, { hours: 1 });
      return uuid;
    },
    routes: {
      create: { own: 201, managed: 403, colleagues: 403, body: () => ({ hours: 1 }) },
      list: { own: 200, managed: 403, colleagues: 403 },
      // `embed-links.db.test.ts` ends one that is there.
      revoke: { own: 204, managed: 403, colleagues: 403 },
      open: { notOwned: "the link is the credential" },
    },
  },
  replayLinks: {
    item: ({ replay }) => replay(),
    routes: {
      create: { own: 201, managed: 404, colleagues: 404, body: () => ({ hours: 1 }) },
      get: { own: 200, managed: 404, colleagues: 404 },
      revoke: { own: 204, managed: 404, colleagues: 404 },
      open: { notOwned: "the link is the credential" },
    },
  },
  apiTokens: {
    item: ({ create, marker }) => create("/v1/api-tokens", { description: `${marker} ${randomUUID()}` }),
    routes: {
      create: { notOwned: "it creates one for the caller" },
      list: "own list",
      revoke: { own: 204, managed: 404, colleagues: 404 },
    },
  },
  programSignIns: {
    item: { notOwned: "whoever sees the code of a program decides, for themselves" },
    routes: {
      begin: { notOwned: "a program without a token asks" },
      finish: { notOwned: "the code is the credential" },
      get: { notOwned: "nobody has approved it yet" },
      decide: { notOwned: "nobody has approved it yet" },
    },
  },
  settings: {
    item: { notOwned: "they belong to the installation" },
    routes: {
      get: { notOwned: "they belong to the installation" },
      openApi: { notOwned: "it is the same for everybody" },
    },
  },
  status: {
    item: { notOwned: "it is the installation's" },
    routes: { get: { notOwned: "it is the same for everybody" } },
  },
  showcase: {
    item: { notOwned: "it is the service's own, for everybody" },
    routes: { open: { notOwned: "it is for everybody; `showcase.db.test.ts` tries it" } },
  },
  support: {
    item: { notOwned: "a message goes to the operator" },
    routes: { send: { notOwned: "a message goes to the operator" } },
  },
  audit: {
    item: { notOwned: "what was recorded is nobody's to change" },
    routes: {
      list: { notOwned: "only managers see it; `read-audit.db.test.ts` tries others" },
      export: { notOwned: "only managers see it; `read-audit.db.test.ts` tries others" },
    },
  },
  usage: {
    item: { notOwned: "it follows from devices" },
    routes: {
      overview: { notOwned: "only managers see it; `overview.db.test.ts` tries others" },
      get: { notOwned: "only managers see it; `usage.db.test.ts` tries others" },
      report: { notOwned: "only managers see it; `usage.db.test.ts` tries others" },
      export: { notOwned: "only managers see it; `usage.db.test.ts` tries others" },
    },
  },
  subscriptions: {
    item: async ({ subscribe }) => subscribe(),
    routes: {
      balance: { notOwned: "it is the caller's own organization's; `subscriptions.db.test.ts` tries others" },
      list: "list for managers",
      create: { notOwned: "it is for the caller's own organization" },
      edit: { own: 403, managed: 200, colleagues: 403, body: () => ({ cancel_at_period_end: true }) },
      cancel: { own: 403, managed: 200, colleagues: 403 },
      usage: { own: 403, managed: 200, colleagues: 403 },
    },
  },
  invoices: {
    // There is nothing to pay, so that it is paid without a card.
    item: ({ invoice }) => invoice({ minutes: [0] }),
    routes: {
      list: "list for managers",
      get: { own: 403, managed: 200, colleagues: 403 },
      lines: { own: 403, managed: 200, colleagues: 403 },
      url: { own: 403, managed: 200, colleagues: 403 },
      file: { notOwned: "the link is the credential" },
      pay: { own: 403, managed: 200, colleagues: 403 },
    },
  },
  trials: {
    item: async ({ organization }) => organization,
    routes: {
      // From a free mailbox, as an organization can ask once.
      request: {
        own: 403,
        managed: 400,
        colleagues: 403,
        body: () => ({ ...trialForm, email: "mara@gmail.com" }),
      },
      requestPremium: { notOwned: "an organization can ask once; `trials.db.test.ts` tries others" },
      list: forOperators,
      decide: forOperators,
    },
  },
  operator: {
    item: {
      notOwned: "it is for operators alone, to whom nothing else is open; `roles/tenancy.db.test.ts` tries that",
    },
    routes: {
      overview: forOperators,
      organizations: forOperators,
      organization: forOperators,
      setTerms: forOperators,
      people: forOperators,
      setStatus: forOperators,
      removeSecondFactors: forOperators,
      setGateway: forOperators,
      jobs: forOperators,
      retryJobs: forOperators,
      retryJob: forOperators,
      discardJob: forOperators,
      offer: forOperators,
      catalogue: forOperators,
    },
  },
  operatorBilling: {
    item: {
      notOwned: "it is for operators alone, to whom nothing else is open; `roles/tenancy.db.test.ts` tries that",
    },
    routes: {
      get: forOperators,
      invoices: forOperators,
      setPrice: forOperators,
      cancelPlan: forOperators,
      setTax: forOperators,
      prices: forOperators,
      setPrices: forOperators,
      grantMinutes: forOperators,
      refund: forOperators,
      markPaid: forOperators,
      due: forOperators,
      run: forOperators,
      clock: forOperators,
      moveClock: forOperators,
    },
  },
  webhooks: {
    item: async ({ manager, marker }) => {
      // An organization has few.
      const { webhooks } = (await manager.get("/v1/webhooks")).json<{ webhooks: { uuid: string }[] }>();
      for (const { uuid } of webhooks.slice(5)) await manager.delete(`/v1/webhooks/${uuid}`);
      return (
        await manager.post("/v1/webhooks", {
          url: `https://${marker}.example.com/hook`,
          description: marker,
          events: ["user.removed"],
        })
      ).json<{ uuid: string }>().uuid;
    },
    routes: {
      list: "list for managers",
      create: { notOwned: "it creates one for the caller's own organization" },
      edit: { own: 403, managed: 200, colleagues: 403, body: () => ({ description: "another" }) },
      delete: { own: 403, managed: 204, colleagues: 403 },
      rotateSecret: { own: 403, managed: 200, colleagues: 403 },
      test: { own: 403, managed: 200, colleagues: 403 },
      deliveries: { own: 403, managed: 200, colleagues: 403 },
      // `webhooks.db.test.ts` tries one that is there.
      delivery: { own: 403, managed: 404, colleagues: 403 },
      replay: { own: 403, managed: 404, colleagues: 403 },
      replayFailed: {
        own: 403,
        managed: 200,
        colleagues: 403,
        body: () => ({ since: "2026-01-05T08:00:00.000Z" }),
      },
    },
  },
  cards: {
    item: aCard,
    routes: {
      setUp: { notOwned: "it begins to add one to the caller's own organization" },
      add: { notOwned: "it adds one to the caller's own organization" },
      list: "list for managers",
      makeDefault: { own: 403, managed: 200, colleagues: 403 },
      delete: { own: 403, managed: 204, colleagues: 403 },
    },
  },
  paymentMethods: {
    item: aCard,
    routes: {
      list: "list for managers",
      makeDefault: { own: 403, managed: 200, colleagues: 403 },
    },
  },
  billingAddresses: {
    item: async ({ manager, marker }) => {
      const street = { street: marker, city: "Fernham", postcode: "F1", country: "US" };
      const added = await manager.post("/v1/billing/addresses", street);
      if (added.statusCode === 201) return added.json<{ uuid: string }>().uuid;
      // An organization has few.
      const { results } = (await manager.get("/v1/billing/addresses")).json<{ results: { uuid: string }[] }>();
      return results[0]?.uuid ?? "";
    },
    routes: {
      list: "list for managers",
      add: { notOwned: "it adds one to the caller's own organization" },
      edit: {
        own: 403,
        managed: 200,
        colleagues: 403,
        body: () => ({ street: "2 Moss Lane", city: "Fernham", postcode: "F1", country: "US" }),
      },
    },
  },
  payments: {
    item: { notOwned: "who pays is known by a secret; `payments.db.test.ts` tries that of others" },
    routes: {
      confirmInSandbox: { notOwned: "the secret is tried with its organization in `payments.db.test.ts`" },
      stripeEvent: { notOwned: "the signature is the credential" },
    },
  },
  mailbox: {
    item: { notOwned: "a demonstration shows its mails to whoever tries it" },
    routes: {
      list: { notOwned: "it shows the mails of a demonstration" },
      get: { notOwned: "it shows a mail of a demonstration" },
    },
  },
};

/** An organization has few cards. */
async function aCard({ manager, unsubscribe }: Tenant): Promise<string> {
  // With a plan, none can be deleted.
  await unsubscribe();
  const { results } = (await manager.get("/v1/billing/cards")).json<{ results: { uuid: string }[] }>();
  for (const { uuid } of results.slice(5)) await manager.delete(`/v1/billing/cards/${uuid}`);
  return (await manager.post("/v1/billing/cards", { token: "pm_card_visa" })).json<{ uuid: string }>().uuid;
}

/**
 * An organization with a manager and two users, one of whom is the `owner` of the items. All of its texts contain `marker`, so that a
 * leak anywhere can be recognised.
 */
export async function aTenant(test: TestApp) {
  const { db, as, clock } = test;
  const marker = `t${randomUUID().replaceAll("-", "")}`;
  const organization = await anOrganization(db, { name: marker, instances_max: 100 });
  const person = (name: string, role: "user" | "manager") =>
    as({ organization, role, fields: { email: `${name}@${marker}.test`, first_name: marker } });
  const owner = await person("owner", "user");
  const manager = await person("manager", "manager");
  const colleague = await person("colleague", "user");

  /** Copies an official row for the owner. */
  const copy = (table: OwnedTable, more: object = {}) => aCustom(db, table, owner.user, { name: marker, ...more });
  return {
    marker,
    organization,
    owner,
    manager,
    colleague,
    copy,
    hardware: await copy("hardware_profiles"),
    image: await copy("os_images"),
    /** Creates an item as its owner does, with a POST. */
    create: async (path: string, body: object) => (await owner.post(path, body)).json<{ uuid: string }>().uuid,
    /** An upfront plan of the organization. */
    subscribe: async () => aSubscription(db, organization, { at: new Date(clock.now()) }),
    unsubscribe: async () => {
      const plans = db.updateTable("subscriptions").set({ ended_at: new Date(clock.now()) });
      await plans.where("organization_uuid", "=", organization).execute();
    },
    /** A screenshot of a device of the owner. */
    capture: async () => (await aCapture(test, owner, { device: { instance_name: marker } })).uuid,
    /** A replay of such a device, with a link. */
    replay: async () => {
      const { uuid } = await aCapture(test, owner, { kind: "replay", device: { instance_name: marker } });
      await owner.post(`/v1/captures/${uuid}/link`, { hours: 1 });
      return uuid;
    },
    invoice: (fields: InvoiceOptions) =>
      anInvoice(db, organization, { ...fields, bill_to: { ...billTo, name: marker, company_name: marker } }),
    /** Makes a device end by itself. */
    end: async (uuid: string) => moveInstance(db, { uuid, event: "fail", now: new Date(clock.now()) }),
  };
}

export type Tenant = Awaited<ReturnType<typeof aTenant>>;

/** Creates an item of a noun that an organization can own. */
export async function make(tenant: Tenant, noun: keyof Contract): Promise<string> {
  const { item } = tenancy[noun];
  if (typeof item !== "function") throw new Error(`${noun} are not owned: ${item.notOwned}`);
  return item(tenant);
}
