/** The key of what is said when a second factor could not be changed by somebody who has proved who they are. */
export function secondFactorRefusalKey(code: string | undefined) {
  if (code === "LAST_SECOND_FACTOR") return "prove.lastFactor";
  const hasChanged = code === "SECOND_FACTOR_EXISTS" || code === "SECOND_FACTOR_MISSING";
  return hasChanged ? "secondFactor.proof.changed" : "secondFactor.proof.failed";
}
