import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";

interface Schema {
  type?: string;
  enum?: string[];
  maxLength?: number;
  anyOf?: Schema[];
  items?: Schema;
  additionalProperties?: Schema;
}
interface Shapes {
  info: { version: string };
  requests: Record<string, { names: string[]; required: string[]; schemas: Record<string, Schema> }>;
}

/** Which parameters Stripe takes, from its published description of the API; see `info.source`. */
const shapes = JSON.parse(readFileSync(new URL("stripe-shapes.json", import.meta.url), "utf8")) as Shapes;
export const { version } = shapes.info;

function fits(schema: Schema, value: string): boolean {
  if (schema.anyOf) return schema.anyOf.some((one) => fits(one, value));
  if (schema.enum && !schema.enum.includes(value)) return false;
  if (schema.type === "integer") return /^-?\d+$/.test(value);
  if (schema.type === "boolean") return value === "true" || value === "false";
  return value.length <= (schema.maxLength ?? Infinity);
}

/** What is wrong with the parameters of a request. */
function wrongIn(request: string, fields: URLSearchParams): string | undefined {
  const shape = shapes.requests[request];
  if (!shape) return `there is no ${request}`;
  for (const name of shape.required) if (!fields.has(name)) return `${name} is missing`;
  for (const [path, value] of fields) {
    const [, name = "", inner] = /^(\w+)(?:\[(\w+)\])?$/.exec(path) ?? [];
    if (!shape.names.includes(name)) return `${path} is unknown`;
    const schema = shape.schemas[name];
    const several = [schema, ...(schema?.anyOf ?? [])].find((one) => one?.type === "array" || one?.type === "object");
    const own = several ? (several.items ?? several.additionalProperties) : schema;
    if (!own || (inner !== undefined) !== (several !== undefined)) return `${path} has another form`;
    if (!fits(own, value)) return `${path} is not valid`;
  }
  return undefined;
}

const metadataOf = (fields: URLSearchParams): Record<string, string> =>
  Object.fromEntries(
    [...fields].flatMap(([path, value]) => {
      const name = /^metadata\[(\w+)\]$/.exec(path)?.[1];
      return name === undefined ? [] : [[name, value]];
    }),
  );

type Row = Record<string, unknown> & { id: string };

/** Stripe in memory: it refuses requests that Stripe's own description of the API does not have. */
export async function fakeStripe() {
  const rows = new Map<string, Row>();
  const answers = new Map<string, { status: number; body: unknown }>();
  const stripe = {
    settings: { secretKey: "sk_test_secret", publishableKey: "pk_test_1", webhookSecret: "whsec_test", url: "" },
    requests: [] as { request: string; fields: Record<string, string>; key: string | undefined }[],
    rows,
    /** What becomes of the next payments: an error of a card, or none. */
    refusal: undefined as { code: string; message: string } | undefined,
    /** Fails the next requests after they were done. */
    breaks: 0,
    add: (row: Row) => void rows.set(row.id, row),
    /** A card that a browser has given to Stripe, for a customer. */
    card: (customer: string | null, funding = "credit") => {
      const card = { brand: "visa", last4: "4242", exp_month: 4, exp_year: 2030, funding };
      const row = { id: `pm_${randomUUID().slice(0, 8)}`, type: "card", customer, card };
      stripe.add(row);
      return row.id;
    },
  };
  const named = (prefix: string, fields: Record<string, unknown>): Row => {
    const row = { id: `${prefix}_${randomUUID().replaceAll("-", "")}`, ...fields };
    stripe.add(row);
    return row;
  };
  const error = (status: number, type: string, more: object) => ({ status, body: { error: { type, ...more } } });
  const done = (body: unknown) => ({ status: 200, body });

  function answer(request: string, id: string, fields: URLSearchParams) {
    const row = rows.get(id);
    if (id !== "" && !row)
      return error(404, "invalid_request_error", { code: "resource_missing", message: `No such ${id}` });
    switch (request) {
      case "POST /v1/customers":
        return done(named("cus", {}));
      case "POST /v1/setup_intents":
        return done(named("seti", { client_secret: `seti_${randomUUID()}_secret` }));
      case "POST /v1/payment_methods/{payment_method}/attach":
        return done(Object.assign(row ?? {}, { customer: fields.get("customer") }));
      case "POST /v1/payment_methods/{payment_method}/detach":
        if (!row?.["customer"]) return error(400, "invalid_request_error", { message: "It is not attached" });
        return done(Object.assign(row, { customer: null }));
      case "POST /v1/refunds":
        return done(
          named("re", {
            payment_intent: fields.get("payment_intent"),
            metadata: { key: fields.get("metadata[key]") },
          }),
        );
      case "GET /v1/refunds":
        return done({
          data: [...rows.values()].filter(
            (each) => each.id.startsWith("re_") && each["payment_intent"] === fields.get("payment_intent"),
          ),
        });
      case "POST /v1/payment_intents/{intent}/cancel":
        if (row?.["status"] === "succeeded")
          return error(400, "invalid_request_error", { message: "It has succeeded" });
        return done(Object.assign(row ?? {}, { status: "canceled" }));
      case "GET /v1/payment_intents":
        return done({
          data: [...rows.values()].filter(
            (each) => each.id.startsWith("pi_") && each["customer"] === fields.get("customer"),
          ),
        });
      case "POST /v1/payment_intents": {
        const { refusal } = stripe;
        const held = fields.get("capture_method") === "manual";
        const intent = named("pi", {
          amount: Number(fields.get("amount")),
          customer: fields.get("customer"),
          metadata: metadataOf(fields),
          status: refusal ? "requires_payment_method" : held ? "requires_capture" : "succeeded",
          client_secret: `pi_${randomUUID()}_secret`,
          last_payment_error: refusal ?? null,
        });
        return refusal ? error(402, "card_error", { ...refusal, payment_intent: intent }) : done(intent);
      }
      default:
        return done(row);
    }
  }

  const reply = (response: ServerResponse, { status, body }: { status: number; body: unknown }) => {
    if (stripe.breaks > 0) {
      stripe.breaks--;
      response.destroy();
      return;
    }
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
  const server = createServer((incoming, response) => void respond(incoming, response));
  const respond = async (incoming: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(incoming.url ?? "", "http://stripe");
    let text = "";
    for await (const part of incoming) text += String(part);
    const fields = incoming.method === "GET" ? searchParams : new URLSearchParams(text);
    const path = pathname
      .replace(/^(\/v1\/payment_methods)\/[^/]+/, "$1/{payment_method}")
      .replace(/^(\/v1\/payment_intents)\/[^/]+/, "$1/{intent}");
    const request = `${incoming.method} ${path}`;
    const key = incoming.headers["idempotency-key"] as string | undefined;
    stripe.requests.push({ request, fields: Object.fromEntries(fields), key });
    if (incoming.headers.authorization !== `Bearer ${stripe.settings.secretKey}`)
      return reply(response, error(401, "invalid_request_error", { message: "Invalid API Key" }));
    if (incoming.headers["stripe-version"] !== version)
      return reply(response, error(400, "invalid_request_error", { message: "another version" }));
    const wrong = wrongIn(request, fields);
    if (wrong) return reply(response, error(400, "invalid_request_error", { message: wrong }));
    const id = /^\/v1\/payment_(?:methods|intents)\/([^/]+)/.exec(pathname)?.[1] ?? "";
    const known = key === undefined ? undefined : answers.get(key);
    const made = known ?? answer(request, id, fields);
    if (key !== undefined) answers.set(key, made);
    return reply(response, made);
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  stripe.settings.url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  return { ...stripe, control: stripe, forgetKeys: () => answers.clear() };
}
