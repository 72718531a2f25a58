import type { AcceptStream, AdbConnection } from "../connection/adb-connection.ts";
import { AdbError } from "../errors.ts";
import { onAbort } from "../wait.ts";
import type { ReverseForward } from "./adb-link.ts";
import { readAll } from "./read-all.ts";

const MAX_ANSWER_BYTES = 4096;

/** The reverses of one link: the addresses that the device forwards, and what accepts their connections here. */
export class ReverseClient {
  readonly #accepts = new Map<string, AcceptStream>();
  #lastNumber = 0;

  /** What accepts a service that the device opens; undefined when it is not registered. */
  find(service: string): AcceptStream | undefined {
    return this.#accepts.get(service);
  }

  async add(
    connection: AdbConnection,
    address: string,
    accept: AcceptStream,
    signal: AbortSignal | undefined,
  ): Promise<ReverseForward> {
    if (/[;\0]/.test(address)) throw new AdbError("INVALID_ARGUMENT", "an address has no semicolon and no NUL");
    // The device only repeats it to us, so any name will do that is used once.
    const target = `localabstract:terrarium-${++this.#lastNumber}`;
    // Before the request: the device may connect before we have read its answer.
    this.#accepts.set(target, accept);
    try {
      const answer = await ask(connection, `reverse:forward:${address};${target}`, signal);
      const port = /^(?:OKAY)+[0-9a-f]{4}(\d{1,5})$/.exec(answer)?.[1];
      const chosen = port === undefined ? address : `tcp:${port}`;
      return {
        address: chosen,
        remove: async (signal) => {
          this.#accepts.delete(target);
          await ask(connection, `reverse:killforward:${chosen}`, signal);
        },
      };
    } catch (error) {
      this.#accepts.delete(target);
      throw error;
    }
  }
}

/** Gives the answer of a reverse request; throws `FAILED` with the device's words. */
async function ask(connection: AdbConnection, service: string, signal: AbortSignal | undefined): Promise<string> {
  const stream = await connection.open(service, signal);
  const forget = onAbort(signal, () => stream.close());
  try {
    const answer = new TextDecoder().decode(await readAll(stream, MAX_ANSWER_BYTES));
    signal?.throwIfAborted();
    if (answer.startsWith("OKAY")) return answer;
    throw new AdbError("FAILED", answer.replace(/^FAIL[0-9a-f]{4}/, "") || "the device said nothing");
  } finally {
    forget();
    stream.close();
  }
}
