import pino, { type DestinationStream, type Logger } from "pino";

export type { Logger };

/** A log with one JSON line per event. Credentials are redacted. */
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

/** Errors keep their stack; tokens and passwords in URLs are redacted. */
function withoutSecrets(error: Error): object {
  const plain = pino.stdSerializers.err(error);
  return {
    type: plain.type,
    message: hideSecrets(plain.message),
    stack: hideSecrets(plain.stack ?? ""),
    code: (error as { code?: unknown }).code,
  };
}

/** Redacts the tokens and passwords of URLs in a text. */
export const hideSecrets = (text: string): string =>
  text
    .replaceAll(/((?:token|api_token|access_token|password)=)[^&\s"']+/gi, "$1[hidden]")
    .replaceAll(/([a-z][a-z0-9+.-]*:\/\/[^:/\s]+:)[^@\s]+@/gi, "$1[hidden]@");
