import type { InstalledApp } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import type { Audit } from "../audit/audit.ts";
import type { DisplayGrant } from "./display-access.ts";
import { findUse } from "./instances.store.ts";

/** Records that an app was installed through a device's own socket for files, by whoever has the grant. */
export async function recordInstalled(
  { db, audit }: { db: Database; audit: Audit },
  { user, credential, instanceUuid: uuid }: Pick<DisplayGrant, "user" | "credential" | "instanceUuid">,
  app: InstalledApp,
): Promise<void> {
  const use = await findUse(db, uuid, credential);
  if (!use) return;
  await audit.record(
    db,
    { kind: use.is_session ? "user" : "token", user, credential },
    {
      action: "instance.install_app",
      subject: { kind: "instance", uuid },
      organization: use.organization_uuid,
      details: { package: app.package_name },
    },
  );
}
