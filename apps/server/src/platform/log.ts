import pino, { type DestinationStream, type Logger } from "pino";

export type { Logger };

/** One JSON line per event. What could open a door never reaches it. */
export function createLog(level: string, role: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { role },
    redact: {
      paths: [
        "token",
        "password",
        "*.token",
        "*.password",
        "*.authorization",
        "headers.authorization",
        "headers['x-api-token']",
      ],
      censor: "[hidden]",
    },
    serializers: { err: withoutSecrets },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** Errors keep their stack; addresses in them lose tokens and passwords. */
function withoutSecrets(error: Error): object {
  const plain = pino.stdSerializers.err(error);
  return {
    type: plain.type,
    message: hideSecrets(plain.message),
    stack: hideSecrets(plain.stack ?? ""),
    code: (error as { code?: unknown }).code,
  };
}

/** The text without the tokens and passwords of the addresses in it. */
export const hideSecrets = (text: string): string =>
  text
    .replaceAll(/((?:token|api_token|access_token|password)=)[^&\s"']+/gi, "$1[hidden]")
    .replaceAll(/([a-z][a-z0-9+.-]*:\/\/[^:/\s]+:)[^@\s]+@/gi, "$1[hidden]@");
