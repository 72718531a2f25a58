import type { PublicSettings } from "@terrarium/contract";
import { z } from "zod";

const line = z.string().trim().min(1).max(500).optional();

/** What the legal texts say of whoever runs this installation. Anybody can read it. */
export const operatorEnvironment = {
  OPERATOR_NAME: line.describe("who runs this installation, `Fern & Glass SAS`; the legal texts name them"),
  OPERATOR_ADDRESS: line.describe("their address, in one line"),
  OPERATOR_CONTACT: z
    .email()
    .optional()
    .describe("their e-mail address, also for requests about personal data; the legal texts show it"),
  OPERATOR_COURT: line.describe("the courts that the terms name, `the courts of Lyon, France`"),
};

type Env = z.infer<z.ZodObject<typeof operatorEnvironment>>;

export const operatorOf = (env: Env): PublicSettings["operator"] => ({
  name: env.OPERATOR_NAME ?? null,
  address: env.OPERATOR_ADDRESS ?? null,
  contact: env.OPERATOR_CONTACT ?? null,
  court: env.OPERATOR_COURT ?? null,
});
