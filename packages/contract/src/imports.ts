import { z } from "zod";
import { ByUuid, Flag } from "./fields.ts";
import { importTypes } from "./import-rules.ts";
import { limits } from "./limits.ts";
import { tag } from "./openapi-tags.ts";
import { routes } from "./routes.ts";

export const importsTag = tag("Your organization", "Imports", "Many people at once, from a file.");

export const imports = routes({
  addUsersToGroups: {
    method: "POST",
    path: "/v1/organizations/:uuid/upload/add-users-to-groups",
    summary:
      "Put the people of your organization whom a csv, xls or xlsx file lists into the groups that it names. The reply is a report in the same format, with what came of each line. Lines that fail do not hold up the others",
    access: "manager",
    forbidden: "You are not allowed to import files.",
    audit: ["organization.import_users", "group.create", "group.add_user"],
    params: ByUuid,
    query: z.object({
      dry_run: Flag.default(false).meta({ description: "Only says what would be done" }),
      create_groups: Flag.default(false).meta({
        description: "Creates groups that are missing, at the top and without a quota; else their lines fail",
      }),
      report: z
        .enum(["file", "lines"])
        .default("file")
        .meta({ description: "`lines`: how far it is, one JSON object a line; the last one has the result" }),
    }),
    body: {
      kind: "form",
      fields: z.object({}),
      files: { file: { min: 1, max: 1, maxBytes: limits.importBytes } },
    },
    reply: {
      kind: "bytes",
      types: [importTypes.csv, importTypes.xls, importTypes.xlsx, "application/jsonl"],
      headers: {
        "x-total-lines": "The lines of the file",
        "x-failed-lines": "How many of them failed",
      },
    },
    fails: [
      "ORGANIZATION_NOT_FOUND",
      "TOO_MANY_REQUESTS",
      "SERVICE_UNAVAILABLE",
      "IMPORT_FILE_TYPE",
      "IMPORT_FILE_UNREADABLE",
      "IMPORT_FILE_TOO_LARGE",
      "IMPORT_FILE_EMPTY",
      "IMPORT_TOO_MANY_LINES",
      "IMPORT_GROUP_COLUMN_MISSING",
      "IMPORT_EMAIL_COLUMN_MISSING",
      "IMPORT_COLUMN_TWICE",
    ],
  },
});
