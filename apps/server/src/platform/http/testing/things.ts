import { routes, wireOf } from "@terrarium/contract";
import { z } from "zod";

/** A contract with a route for each kind of body and reply. */
export const things = routes({
  webhook: {
    method: "POST",
    audit: { none: "a test" },
    path: "/v1/webhook",
    summary: "Receives bytes",
    access: "public",
    body: { kind: "raw", types: ["application/json", "text/plain"] },
    maxBodyBytes: 1000,
    headers: z.object({ "x-signature": z.string().optional() }),
    reply: z.object({ base64: z.string(), signature: z.string().optional() }),
  },
  upload: {
    method: "POST",
    audit: { none: "a test" },
    path: "/v1/uploads",
    summary: "Receives a form",
    access: "signed-in",
    body: {
      kind: "form",
      fields: z.object({ title: z.string().min(1), tags: z.array(z.string()).optional() }),
      files: { photos: { min: 1, max: 2, maxBytes: 1000, types: ["image/png"] }, note: { max: 1, maxBytes: 10 } },
    },
    reply: z.object({ title: z.string(), tags: z.array(z.string()).optional(), files: z.array(z.string()) }),
  },
  deliver: {
    method: "POST",
    audit: { none: "a test" },
    path: "/v1/deliveries",
    summary: "Passes on a file while it arrives",
    access: "signed-in",
    body: { kind: "stream", types: ["application/x-file"] },
    maxBodyBytes: 10_000_000,
    reply: z.object({ bytes: z.number() }),
  },
  rename: {
    method: "PATCH",
    audit: { none: "a test" },
    path: "/v1/things/:name",
    summary: "Receives a little JSON",
    access: "public",
    ownPagesOnly: true,
    params: z.object({ name: z.string() }),
    body: z.object({ name: z.string() }),
    maxBodyBytes: 100,
    reply: z.object({ was: z.string(), is: z.string() }),
  },
  report: {
    method: "GET",
    path: "/v1/report",
    summary: "Returns bytes",
    access: "public",
    query: z.object({ type: z.enum(["text/csv", "application/pdf", "image/png"]) }),
    reply: { kind: "bytes", types: ["text/csv", "application/pdf"] },
  },
  stream: {
    method: "GET",
    path: "/v1/stream",
    summary: "Streams bytes",
    access: "public",
    reply: { kind: "bytes", types: ["text/csv"] },
  },
  open: {
    method: "GET",
    path: "/v1/open",
    summary: "Redirects",
    access: "public",
    reply: { kind: "redirect", status: 302 },
  },
  sent: {
    method: "POST",
    audit: { none: "a test" },
    path: "/v1/sent",
    summary: "Redirects after a form",
    access: "public",
    reply: { kind: "redirect", status: 303 },
  },
});
export const contract = { things };
export const wire = {
  webhook: wireOf(things.webhook),
  upload: wireOf(things.upload),
  deliver: wireOf(things.deliver),
  rename: wireOf(things.rename),
  report: wireOf(things.report),
  stream: wireOf(things.stream),
  open: wireOf(things.open),
  sent: wireOf(things.sent),
};
export const elsewhere = "https://elsewhere.example/in?state=1";
