import type { Clock } from "@terrarium/clock";
import type { AuditOutcome } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import type { Logger } from "../../platform/log.ts";
import type { Audit } from "../audit/audit.ts";
import { BoundedRecords } from "../audit/bounded-records.ts";
import { byService } from "../audit/by.ts";
import { findUse } from "./instances.store.ts";

/** In a minute: of one person at one device, and of all at this gateway's. */
const limits = { each: 30, all: 600, counted: 100 };
/** Of a path or a name. However it is written, all of them fit into a record. */
const MAX_CHARS = 500;

/** What somebody does to a device with its tools, its adb or by bringing a file: which path or package, never what is in it. */
export interface DeviceAct {
  action: `instance.${"install_app" | "uninstall_app" | "clear_app" | "open_shell" | "open_adb" | "upload_file" | "download_file" | "delete_file"}`;
  /** `refused` is what the device has not done. */
  outcome?: AuditOutcome;
  details?: Record<string, string | number | null>;
}

/** Who does it, by what they came with; strangers at the showcase have nothing. */
interface Doer {
  instanceUuid: string;
  user: string;
  credential?: string | undefined;
}

export interface DeviceActsDeps {
  db: Database;
  clock: Clock;
  log: Logger;
  audit: Audit;
}

/** Records what is done to this gateway's devices. Nobody waits for it; floods are counted (`BoundedRecords`). */
export class DeviceActs {
  readonly #deps: DeviceActsDeps;
  readonly #records: BoundedRecords;

  constructor(deps: DeviceActsDeps) {
    this.#deps = deps;
    this.#records = new BoundedRecords({
      ...deps,
      limits,
      writeSum: (action, source, not_recorded) => {
        const act = { action: action as DeviceAct["action"], details: { not_recorded } };
        const [instanceUuid = "", user = "", credential = ""] = source.split(" ");
        return source === ""
          ? deps.audit.record(deps.db, byService, act)
          : this.#record({ instanceUuid, user, credential }, undefined, act);
      },
    });
  }

  note({ instanceUuid, user, credential }: Doer, address: string, act: DeviceAct): void {
    if (credential === undefined) return;
    this.#records.add(act.action, [instanceUuid, user, credential].join(" "), () =>
      this.#record({ instanceUuid, user, credential }, address, act),
    );
  }

  /** Resolves when everything noted so far is written, the sums of the running minute included. */
  stop(): Promise<void> {
    return this.#records.stop();
  }

  async #record(
    { instanceUuid: uuid, user, credential }: Required<Doer>,
    address: string | undefined,
    { details = {}, ...act }: DeviceAct,
  ): Promise<void> {
    const { db, audit } = this.#deps;
    const use = await findUse(db, uuid, credential);
    if (!use) return;
    const kind = use.is_session ? "user" : "token";
    await audit.record(
      db,
      { kind, user, credential, ...(address && { address }) },
      {
        ...act,
        subject: { kind: "instance", uuid },
        organization: use.organization_uuid,
        details: Object.fromEntries(Object.entries(details).map(([name, value]) => [name, bounded(value)])),
      },
    );
  }
}

/** Half a character, which the cut may leave, no database takes. */
const bounded = (value: string | number | null) =>
  typeof value === "string" ? value.slice(0, MAX_CHARS).toWellFormed() : value;
