import type { SignInRules, SignInWay } from "@terrarium/contract";
import type { RuleChange } from "../organizations/mail-managers.ts";

const names: Record<SignInWay, string> = {
  password: "email and password",
  passkey: "a passkey",
  google: "Google",
  "github-saas": "GitHub",
  organization: "the organization’s own provider",
  oidc: "this service’s own provider",
};

const lengthOf = (hours: number): string => {
  const [count, unit] = hours < 24 ? [hours, "hour"] : [hours / 24, "day"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
};

type Changed = { [Rule in "allowed_sign_ins" | "session_hours" | "allowed_origins"]?: SignInRules[Rule] | undefined };

/** The notice to the managers of an organization when it has changed how its members sign in. */
export const rulesChange = ({
  allowed_sign_ins: ways,
  session_hours,
  allowed_origins: origins,
}: Changed): Pick<RuleChange, "rule" | "paragraphs"> => ({
  rule: "Signing in follows another rule now",
  paragraphs: (who, name) => [
    `${who} has changed how members of ${name} sign in.`,
    ...(ways === null ? ["They may sign in in any way that this service offers."] : []),
    ...(ways ? [`They sign in with ${ways.map((way) => names[way]).join(" or ")}, and in no other way.`] : []),
    ...(session_hours === undefined ? [] : [`They sign in again after ${lengthOf(session_hours)}.`]),
    ...(origins?.length === 0 ? ["No other pages may sign them in."] : []),
    ...(origins && origins.length > 0
      ? [`Pages of these addresses may sign them in with their passwords: ${origins.join(", ")}`]
      : []),
  ],
});
