import { words } from "../words.ts";

export type BasebandCommand =
  | { type: "call"; number: string }
  | { type: "sms"; number: string; text: string }
  /** Country and network code, five or six digits. */
  | { type: "operator"; of: "network" | "sim"; code: string }
  | { type: "operatorName"; of: "network" | "sim"; name: string }
  /** The subscriber's part of the IMSI, nine or ten digits. */
  | { type: "imsi"; subscriber: string }
  | { type: "phoneNumber"; number: string };

const PHONE_NUMBER = /^\+?[0-9*#]{1,32}$/;
const MAX_NAME_CHARS = 64;
const MAX_SMS_CHARS = 2048;

/** `gsm call <number>`, `sms send <number> <text>`, `sim operator_name <text>` and their kin. */
export function parseBaseband(command: string): BasebandCommand | undefined {
  const {
    words: [subject, verb],
    rest,
  } = words(command, 2);
  switch (`${subject} ${verb}`) {
    case "gsm call":
      return PHONE_NUMBER.test(rest) ? { type: "call", number: rest } : undefined;
    case "sms send":
      return parseSms(rest);
    case "network operator":
    case "sim operator":
      return /^\d{5,6}$/.test(rest) ? { type: "operator", of: ofWhom(subject), code: rest } : undefined;
    case "network operator_name":
    case "sim operator_name":
      return isText(rest, MAX_NAME_CHARS) ? { type: "operatorName", of: ofWhom(subject), name: rest } : undefined;
    case "sim imsi_id":
      return /^\d{9,10}$/.test(rest) ? { type: "imsi", subscriber: rest } : undefined;
    case "sim phone_number":
      return PHONE_NUMBER.test(rest) ? { type: "phoneNumber", number: rest } : undefined;
    default:
      return undefined;
  }
}

function parseSms(command: string): BasebandCommand | undefined {
  const {
    words: [number = ""],
    rest: text,
  } = words(command, 1);
  return PHONE_NUMBER.test(number) && isText(text, MAX_SMS_CHARS) ? { type: "sms", number, text } : undefined;
}

function ofWhom(subject: string | undefined): "network" | "sim" {
  return subject === "sim" ? "sim" : "network";
}

/** Some text, without NUL. */
function isText(text: string, maxChars: number): boolean {
  return text.length > 0 && text.length <= maxChars && !text.includes("\0");
}
