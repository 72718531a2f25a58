import type { Organization } from "@terrarium/contract";
import { serviceNow } from "../../components/service-time.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** Its end is announced this long before. */
const ENDING_MS = 7 * DAY_MS;

/** How a license stands: whether devices start by it, and for how long. Without an end it is `active`, as it is `later` with one that is far off. */
export function standingOf(
  { is_active, expires_at }: Organization["license"],
  now = serviceNow(),
): "inactive" | "ended" | "ending" | "later" | "active" {
  if (!is_active) return "inactive";
  if (expires_at === null) return "active";
  const left = Date.parse(expires_at) - now;
  if (left <= 0) return "ended";
  return left <= ENDING_MS ? "ending" : "later";
}

/** Free minutes count where each is paid for otherwise, or where there is no plan at all. */
export const hasMinutes = ({ type, minuteBalance }: Organization["license"]): boolean =>
  type === "pending" || (type === "metered" && minuteBalance > 0);

/** Whether no device can start, as there is no plan and no free minute. */
export const isUsedUp = (license: Organization["license"]): boolean =>
  license.type === "pending" && license.minuteBalance === 0 && !["inactive", "ended"].includes(standingOf(license));
