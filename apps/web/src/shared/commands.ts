import { basePath } from "@terrarium/contract";

/** Stands where the reader puts a token of their own. */
const TOKEN = "YOUR_API_TOKEN";

const CONTINUED = " \\\n  ";

/** A word as POSIX shells read it. */
const quoted = (word: string): string => (/^[\w@+:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

interface Call {
  method: "POST" | "GET" | "PUT" | "DELETE";
  /** Below the base path. */
  path: string;
  body?: object;
}

/** A call of the API as a command line. `origin`: where the service is. */
export function curlOf({ method, path, body }: Call, origin: string): string {
  const lines = [
    ["curl", "--fail-with-body", "-X", method, origin + basePath + path],
    ["-H", `x-api-token: ${TOKEN}`],
    ...(body
      ? [
          ["-H", "content-type: application/json"],
          ["--data", JSON.stringify(body)],
        ]
      : []),
  ];
  return lines.map((words) => words.map(quoted).join(" ")).join(CONTINUED);
}

/** A command of gmsaas, the command-line client that this service's API is compatible with, and where it finds the service. */
export function gmsaasOf(words: readonly string[], origin: string): string {
  const base = quoted(origin + basePath);
  const settings = [
    `GM_PLATFORM_BASE_URL=${base}`,
    `GM_PLATFORM_SIO_BASE_URL=${base}`,
    `GENYMOTION_API_TOKEN=${TOKEN}`,
  ];
  return [...settings, ["gmsaas", ...words.map(quoted)].join(" ")].join(CONTINUED);
}
