import { AppError, type ErrorCode } from "@terrarium/contract";
import { z } from "zod";

const SCHEMA = "urn:ietf:params:scim:api:messages:2.0:Error";

/** Of RFC 7644, table 9. */
type ScimType =
  | "invalidFilter"
  | "uniqueness"
  | "mutability"
  | "invalidSyntax"
  | "invalidPath"
  | "noTarget"
  | "invalidValue";

/** A refusal in the words of the protocol. */
export class ScimError extends Error {
  override readonly name = "ScimError";
  readonly status: number;
  readonly scimType: ScimType | undefined;

  constructor(status: number, scimType: ScimType | undefined, detail: string, cause?: unknown) {
    super(detail, { cause });
    this.status = status;
    this.scimType = scimType;
  }
}

export const notFound = (): ScimError => new ScimError(404, undefined, "There is no such resource.");
export const invalidValue = (detail: string): ScimError => new ScimError(400, "invalidValue", detail);

/** What our own codes are in the protocol; the others keep their status and sentence. */
const types: Partial<Record<ErrorCode, ScimType>> = {
  invalid_request: "invalidSyntax",
  GROUP_EXISTS: "uniqueness",
  GROUP_IS_DEFAULT: "mutability",
  LAST_MANAGER: "mutability",
  DISABLED_BY_OPERATOR: "mutability",
};

/** The same refusal as the protocol says it; undefined for what is no refusal, but a defect. */
export function asScimError(error: unknown): ScimError | undefined {
  if (error instanceof ScimError) return error;
  if (error instanceof z.ZodError) {
    const [issue] = error.issues;
    return invalidValue(`${issue?.path.join(".") || "The body"}: ${issue?.message ?? "not valid"}`);
  }
  if (!(error instanceof AppError) || error.code === "INTERNAL_ERROR") return undefined;
  const type = types[error.code];
  // The protocol has no words for why what is asked for is not possible now but these.
  return new ScimError(type === "mutability" ? 400 : error.status, type, error.message, error);
}

/** A refusal on the wire. */
export const errorBody = ({ status, scimType, message }: ScimError) => ({
  schemas: [SCHEMA],
  status: String(status),
  ...(scimType && { scimType }),
  detail: message,
});
