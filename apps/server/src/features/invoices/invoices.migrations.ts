import { type MigrationSteps, statements } from "../../platform/db/migrations.ts";

export const invoiceMigrations: MigrationSteps = {
  // Pages of an organization's invoices, however deep, in the order of either column.
  "0100-pages-of-invoices": statements(
    `DROP INDEX invoices_of_organization`,
    `CREATE INDEX invoices_by_time ON invoices (organization_uuid, nature, created_at, uuid)`,
    `CREATE INDEX invoices_by_amount ON invoices (organization_uuid, nature, amount, uuid)`,
  ),
};
