import { AppError } from "@terrarium/contract";
import { transaction } from "../../platform/db/transaction.ts";
import type { By } from "../audit/by.ts";
import { setDraining } from "../instances/gateways.ts";
import { listGateways } from "./operator.store.ts";
import type { OperateDeps } from "./organizations.ts";

export { listGateways } from "./operator.store.ts";

/**
 * Has a gateway drain, or take devices again. One that drains takes no new devices, also after it was restarted; those that run go on.
 * @throws AppError GATEWAY_NOT_FOUND if it is not up
 */
export async function setGateway(
  { db, audit }: Pick<OperateDeps, "db" | "audit">,
  id: string,
  isDraining: boolean,
  by: By,
): Promise<void> {
  await transaction(db, async (trx) => {
    if (await setDraining(trx, id, isDraining))
      await audit.record(trx, by, {
        action: isDraining ? "gateway.drain" : "gateway.undrain",
        details: { gateway: id },
      });
    else if (!(await listGateways(trx)).some((gateway) => gateway.id === id)) throw new AppError("GATEWAY_NOT_FOUND");
  });
}
