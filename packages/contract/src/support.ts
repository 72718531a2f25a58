import { z } from "zod";
import { sayBroken } from "./field-rules.ts";
import { Email } from "./fields.ts";
import { limits } from "./limits.ts";
import { tag } from "./openapi-tags.ts";
import { routes } from "./routes.ts";

const Message = z
  .string()
  .trim()
  .min(1, sayBroken({ says: "required" }))
  .max(limits.supportMessageLength, sayBroken({ says: "maxLength", max: limits.supportMessageLength }))
  .refine((text) => !/(?![\n\t])\p{Cc}|\p{Cs}/u.test(text.replaceAll("\r\n", "\n")), {
    error: sayBroken({ says: "invisible" }),
  });

export const supportTag = tag("The service", "Support", "Messages to the operator.");

export const support = routes({
  send: {
    method: "POST",
    path: "/v1/support",
    summary: "Send a message to the operator of this installation. Available without a token",
    access: "public",
    audit: ["support.send"],
    ownPagesOnly: true,
    body: z.object({
      topic: z.enum(["support", "feedback"]).default("support"),
      email: Email.meta({ description: "Where the reply should go. It is not verified" }),
      message: Message,
      page: z
        .string()
        .regex(/^\/[\w/-]*$/)
        .max(limits.textLength)
        .optional()
        .meta({ description: "The path of the page that the message is about" }),
    }),
    status: 204,
    fails: ["SUPPORT_NOT_AVAILABLE", "TOO_MANY_REQUESTS"],
  },
});
