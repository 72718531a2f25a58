import type { Clock } from "@terrarium/clock";
import { AppError, type InstalledApp } from "@terrarium/contract";
import type { DeviceAct } from "../../features/instances/device-acts.ts";
import type { AppLink } from "../apps/install-app.ts";
import { RateWindow } from "../rate-window.ts";
import type { Grant } from "../viewers/visitor.ts";
import { placeOf } from "./put-file.ts";
import { Upload } from "./upload.ts";

/** Of one device. */
const MAX_UPLOADS = 4;
/** Of one device, in a minute: each may be small, and costs some commands. */
const MAX_PER_MINUTE = 120;
/** How long a client that has lost its network may ask for the outcome of its upload. */
const REMEMBER_MS = 60_000;

export interface UploadsDeps {
  clock: Clock;
  /** The largest file. */
  maxBytes: number;
}

/** The files on their way to this gateway's devices. */
export class Uploads {
  readonly #deps: UploadsDeps;
  readonly #running = new Set<Upload>();
  readonly #byId = new Map<string, Upload>();
  readonly #rates = new Map<string, RateWindow>();
  readonly #stopped = new AbortController();

  constructor(deps: UploadsDeps) {
    this.#deps = deps;
  }

  /** @throws AppError BODY_TOO_LARGE, INSTANCE_BUSY, TOO_MANY_REQUESTS */
  begin(file: {
    instanceUuid: string;
    grant: Grant;
    id: string | undefined;
    name: string;
    folder?: string | undefined;
    size: number;
    link: AppLink;
    onAct: (grant: Grant, act: DeviceAct) => void;
  }): Upload {
    const { clock, maxBytes } = this.#deps;
    const { instanceUuid, grant, id } = file;
    if (file.size > maxBytes) throw new AppError("BODY_TOO_LARGE", { details: { max_bytes: String(maxBytes) } });
    const ofDevice = [...this.#running].filter((upload) => upload.instanceUuid === instanceUuid);
    if (ofDevice.length >= MAX_UPLOADS) throw new AppError("INSTANCE_BUSY");
    const rate = this.#rates.get(instanceUuid) ?? new RateWindow(60_000);
    this.#rates.set(instanceUuid, rate);
    if (rate.add(1, clock.monotonic()) > MAX_PER_MINUTE) throw new AppError("TOO_MANY_REQUESTS");
    const upload = new Upload({ ...file, clock });
    this.#running.add(upload);
    if (id !== undefined) this.#byId.set(keyOf(instanceUuid, grant, id), upload);
    void upload.outcome.then(async (outcome) => {
      this.#running.delete(upload);
      if ("app" in outcome) file.onAct(grant, actOf(file, outcome.app));
      if (id === undefined) return;
      await clock.sleep(REMEMBER_MS, this.#stopped.signal).catch(() => undefined);
      const key = keyOf(instanceUuid, grant, id);
      if (this.#byId.get(key) === upload) this.#byId.delete(key);
    });
    return upload;
  }

  /** One that this person has begun on this device, and that has not ended more than a minute ago. */
  find(instanceUuid: string, grant: Grant, id: string): Upload | undefined {
    return this.#byId.get(keyOf(instanceUuid, grant, id));
  }

  /** Those of whoever brings them now, or has lost the network. */
  grants(): Grant[] {
    return [...this.#running].map(({ grant }) => grant);
  }

  /** Ends those that these are. */
  abort(which: (upload: Upload) => boolean, why: AppError): void {
    for (const upload of this.#running) if (which(upload)) upload.abort(why);
  }

  /** The device is over. */
  forget(instanceUuid: string): void {
    this.abort((upload) => upload.instanceUuid === instanceUuid, new AppError("INSTANCE_ENDED"));
    this.#rates.delete(instanceUuid);
  }

  /** Ends all of them. */
  stop(): void {
    this.#stopped.abort();
    this.abort(() => true, new AppError("SERVICE_UNAVAILABLE"));
  }
}

const actOf = (
  { name, folder, size }: { name: string; folder?: string | undefined; size: number },
  app?: InstalledApp,
): DeviceAct =>
  app
    ? ({ action: "instance.install_app", details: { package: app.package_name } } as const)
    : ({ action: "instance.upload_file", details: { path: placeOf({ name, folder }), bytes: size } } as const);

const keyOf = (instanceUuid: string, { user }: Grant, id: string): string => `${instanceUuid} ${user} ${id}`;
