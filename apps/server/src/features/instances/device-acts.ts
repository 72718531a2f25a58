import type { AuditOutcome } from "@terrarium/contract";
import type { Logger } from "../../platform/log.ts";
import { BoundedRecords } from "../audit/bounded-records.ts";
import { type By, byService } from "../audit/by.ts";
import type { FeatureDeps } from "../deps.ts";

/** In a minute: of one person at one device, and of all of an organization at this gateway's; of what was refused as much again. */
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

/** Who does it, to whose device, by what they came with; strangers at the showcase have nothing. */
interface Doer {
  instanceUuid: string;
  user: string;
  credential?: string | undefined;
  cameAs?: "user" | "token";
  organization?: string;
}

export interface DeviceActsDeps extends FeatureDeps {
  log: Logger;
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
      writeSum: (action, source, not_recorded, pool) => {
        const [organization = "", outcome] = pool.split(" ");
        const [uuid, kind, user = ""] = source.split(" ");
        return this.#record(source === "" ? byService : { kind: kind as "user" | "token", user }, organization, uuid, {
          action: action as DeviceAct["action"],
          outcome: outcome as AuditOutcome,
          details: { not_recorded },
        });
      },
    });
  }

  note(
    { instanceUuid: uuid, user, credential, cameAs: kind, organization }: Doer,
    address: string,
    act: DeviceAct,
  ): void {
    if (credential === undefined || kind === undefined || organization === undefined) return;
    this.#records.add(
      act.action,
      // Without the credential: nobody has more for having many.
      [uuid, kind, user].join(" "),
      () => this.#record({ kind, user, credential, ...(address && { address }) }, organization, uuid, act),
      [organization, act.outcome ?? "done"].join(" "),
    );
  }

  /** Resolves when everything noted so far is written, the sums of the running minute included. */
  stop(): Promise<void> {
    return this.#records.stop();
  }

  #record(by: By, organization: string, uuid: string | undefined, { details = {}, ...act }: DeviceAct): Promise<void> {
    return this.#deps.audit.record(this.#deps.db, by, {
      ...act,
      ...(uuid && { subject: { kind: "instance", uuid } }),
      organization,
      details: Object.fromEntries(Object.entries(details).map(([name, value]) => [name, bounded(value)])),
    });
  }
}

/** Half a character, which the cut may leave, no database takes. */
const bounded = (value: string | number | null) =>
  typeof value === "string" ? value.slice(0, MAX_CHARS).toWellFormed() : value;
