import type { ErrorCode } from "@terrarium/contract";
import type { TFunction } from "i18next";
import type { groups as words } from "../../en/groups.ts";

type Said = keyof typeof words.groups.refusals;

/** What the service refuses about a group, by code. */
const said: Partial<Record<ErrorCode, Said>> = {
  GROUP_EXISTS: "exists",
  GROUP_NOT_FOUND: "gone",
  GROUP_TOO_DEEP: "tooDeep",
  TOO_MANY_GROUPS: "tooMany",
  GROUP_IS_DEFAULT: "isDefault",
  GROUP_PARENT_FIXED: "parentFixed",
  GROUP_WITH_QUOTA_MOVE_FORBIDDEN: "quotaMove",
  QUOTA_PARENT_WITHOUT_QUOTA: "parentWithoutQuota",
  QUOTA_PARENT_REMAINING_TOO_LOW: "remainingTooLow",
  QUOTA_GROUP_LT_CHILDREN: "lessThanChildren",
  QUOTA_CHILD_WITH_QUOTA: "childWithQuota",
  USER_NOT_FOUND: "userGone",
};

/** What was refused, in words; `otherwise` names what did not come about. */
export function groupRefusal(
  t: TFunction,
  code: ErrorCode | undefined,
  otherwise: `${"add" | "edit" | "delete"}Group` | `${"add" | "move" | "remove"}GroupUsers`,
): string {
  const key = code && said[code];
  return key ? t(`groups.refusals.${key}`) : t(`errors.${otherwise}`);
}
