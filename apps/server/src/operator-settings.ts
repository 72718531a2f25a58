import { basePath, type PublicSettings } from "@terrarium/contract";
import { z } from "zod";

const line = z.string().trim().min(1).max(500).optional();
const WebAddress = z.url({ protocol: /^https?$/ });

/** What pages show about whoever runs this installation, and where its links lead. Anybody can read it, except for the support targets. */
export const operatorEnvironment = {
  OPERATOR_NAME: line.describe("who runs this installation, `Fern & Glass SAS`; the legal texts name them"),
  OPERATOR_ADDRESS: line.describe("their address, in one line"),
  OPERATOR_CONTACT: z
    .email()
    .optional()
    .describe("their e-mail address, also for requests about personal data; the legal texts show it"),
  OPERATOR_VAT_NUMBER: line.describe(
    "their VAT number: invoices name it, and hold an e-invoice for programs (EN 16931)",
  ),
  OPERATOR_COURT: line.describe("the courts that the terms name, `the courts of Lyon, France`"),
  DOCUMENTATION_URL: WebAddress.optional().meta({
    description: "where the navigation's Documentation leads",
    shown: "`/docs` of the service",
  }),
  API_REFERENCE_URL: WebAddress.optional().meta({
    description: "where its API reference & SDK leads",
    shown: "`/docs/api` of the service",
  }),
  REPOSITORY_URL: WebAddress.optional().describe(
    "where the source of this installation can be cloned from, for the commands on the home page",
  ),
  FEEDBACK_URL: WebAddress.optional().meta({
    description: "where its Feedback leads",
    shown: "a message to support",
  }),
  STATUS_PAGE_URL: z
    .union([z.literal("off"), WebAddress])
    .optional()
    .meta({
      description:
        "another status page, `https://status.example.com`, whose `/api/v2/status.json` browsers read every five minutes; an address that ends in `.json` is read itself; with `off` there is none",
      shown: "`/status` of the service",
    }),
  SUPPORT_EMAIL: z.email().optional().meta({
    description:
      "who gets the messages that people write to support and as feedback; where neither this nor a webhook gets them, both are links",
    shown: "without a webhook `OPERATOR_CONTACT`, if mails are sent; a demonstration shows them at `/mailbox`",
  }),
  SUPPORT_WEBHOOK_URL: WebAddress.optional().describe(
    "where those messages are posted as JSON: `id`, `topic` (`support` or `feedback`), `email`, `message`, `page`, `sent_at`",
  ),
  ANALYTICS_URL: WebAddress.optional().describe(
    "your collector, to which browsers whose users consent post events as JSON; see docs/ARCHITECTURE.md",
  ),
  STAFF_EMAIL_DOMAIN: line.describe("the domain of your own people's addresses; their events are marked as staff's"),
  BANNER_EXCLUDED_ORG: z
    .guid()
    .toLowerCase()
    .optional()
    .describe("the uuid of an organization that sees no announcements"),
};

type Env = z.infer<z.ZodObject<typeof operatorEnvironment>>;

/** Pages of our own. */
const DOCS = "/docs";
const HELP = `${DOCS}#help`;
const OWN_STATUS = { page: "/status", summary: `${basePath}/status.json` };
/** In a demonstration whoever tries the product is its operator, and finds the messages in the mailbox. */
const DEMO_SUPPORT = "support@terrarium.invalid";

/**
 * What `GET /v1/settings` says of the operator.
 * @param mail whether mails are sent, or at least shown
 */
export function operatorOf(env: Env, { mail: hasMail }: { mail: "sent" | "shown" | "kept" }) {
  const { OPERATOR_CONTACT: contact, STATUS_PAGE_URL: status, ANALYTICS_URL: collector } = env;
  const mail = contact && `mailto:${contact}`;
  const reached = { sent: contact, shown: contact ?? DEMO_SUPPORT, kept: undefined }[hasMail];
  const webhook = env.SUPPORT_WEBHOOK_URL;
  const support = { email: env.SUPPORT_EMAIL ?? (webhook ? undefined : reached), webhook };
  const has_support = Boolean(support.email ?? support.webhook);
  const help = env.DOCUMENTATION_URL ?? HELP;
  const shown = {
    operator: {
      name: env.OPERATOR_NAME ?? null,
      address: env.OPERATOR_ADDRESS ?? null,
      contact: contact ?? null,
      court: env.OPERATOR_COURT ?? null,
    },
    links: {
      documentation: env.DOCUMENTATION_URL ?? DOCS,
      api_reference: env.API_REFERENCE_URL ?? `${DOCS}/api`,
      repository: env.REPOSITORY_URL ?? null,
      feedback: env.FEEDBACK_URL ?? (has_support ? null : (mail ?? help)),
      support: mail ?? help,
    },
    has_support,
    status: status === "off" ? null : status ? statusOf(status) : OWN_STATUS,
    analytics: collector ? { collector, staff_domain: env.STAFF_EMAIL_DOMAIN?.toLowerCase() ?? null } : null,
    banner_excluded_organization: env.BANNER_EXCLUDED_ORG ?? null,
  } satisfies Partial<PublicSettings>;
  const connectsTo = [shown.status?.summary, collector].flatMap((url) =>
    url && url !== OWN_STATUS.summary ? [new URL(url).origin] : [],
  );
  return {
    shown,
    /** Origins other than the service's to which its pages connect. */
    connectsTo: [...new Set(connectsTo)],
    support,
    /** How invoices name whoever issues them. */
    seller: {
      name: env.OPERATOR_NAME ?? "Terrarium",
      address: env.OPERATOR_ADDRESS ?? null,
      contact: contact ?? null,
      vatNumber: env.OPERATOR_VAT_NUMBER ?? null,
    },
  };
}

/** Where the page is, and where its state can be read. */
function statusOf(address: string): { page: string; summary: string } {
  if (address.endsWith(".json")) return { page: new URL("/", address).href, summary: address };
  return { page: address, summary: `${address.replace(/\/+$/, "")}/api/v2/status.json` };
}
