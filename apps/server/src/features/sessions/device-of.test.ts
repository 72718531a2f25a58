import { expect, it } from "vitest";
import { deviceOf } from "./device-of.ts";

const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)";

it.each([
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/146.0.0.0 Safari/537.36`, "Chrome on Windows"],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/146.0.0.0 Safari/537.36 Edg/146.0`, "Edge on Windows"],
  [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} HeadlessChrome/146.0.0.0 Safari/537.36`, "Chrome on Linux"],
  [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Chrome/146.0 Safari/537.36 OPR/120.0`, "Opera on Linux"],
  [
    `Mozilla/5.0 (Linux; Android 16; SM-S931B) ${WEBKIT} SamsungBrowser/29 Chrome/140 Safari/537.36`,
    "Samsung Internet on Android",
  ],
  ["Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:147.0) Gecko/20100101 Firefox/147.0", "Firefox on Linux"],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 15_3) AppleWebKit/605.1.15 Version/18.3 Safari/605.1.15", "Safari on macOS"],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_3 like Mac OS X) AppleWebKit/605.1.15 CriOS/146.0 Safari/604.1",
    "Chrome on iPhone",
  ],
  [`Mozilla/5.0 (X11; CrOS x86_64 16181.61.0) ${WEBKIT} Chrome/146.0 Safari/537.36`, "Chrome on ChromeOS"],
  ["curl/8.14.1", "curl"],
  ["Genymobile gmsaas 1.14.0", "Genymobile"],
  ["Mozilla/5.0 (X11; Linux x86_64)", "Linux"],
  ["Mozilla/5.0", ""],
  ["<script>", ""],
  ["", ""],
])("calls %j by a name that its owner may recognise", (userAgent, device) => {
  expect(deviceOf(userAgent)).toBe(device);
});
