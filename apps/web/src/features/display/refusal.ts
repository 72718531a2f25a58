import { AppError, displayedStates, type Instance, instancePhases } from "@terrarium/contract";

export type Refusal = "notRunning" | "notAllowed" | "notSavable" | "notFound" | "invalid" | "other";

const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
export const isIdentifier = (uuid: string): boolean => uuid4.test(uuid);

/** Why a device cannot be displayed, from the service's answer. */
export function refusalOf(error: unknown): Exclude<Refusal, "notSavable"> {
  if (!(error instanceof AppError)) return "other";
  switch (error.code) {
    case "INSTANCE_NOT_ALLOWED":
      return "notAllowed";
    case "INSTANCE_NOT_FOUND":
      return "notFound";
    case "INSTANCE_ENDED":
      return "notRunning";
    case "INVALID_IDENTIFIER":
      return "invalid";
    default:
      return "other";
  }
}

/** The recipe of a device that had ended before it was asked for. */
export const endedRecipeOf = (error: Error | null): string | undefined =>
  error instanceof AppError ? error.details?.recipe_uuid : undefined;

export type Stage = "starting" | "online" | "windingDown" | "ended";

/** Which picture of the page a device's state asks for. */
export function stageOf({ state }: Pick<Instance, "state">): Stage {
  const isOf = (states: readonly string[]) => states.includes(state);
  if (isOf(instancePhases.starting)) return "starting";
  if (isOf(instancePhases.online)) return "online";
  if (isOf(instancePhases.windingDown)) return "windingDown";
  // Names that other versions of the service may send.
  const word = displayedStates[state];
  if (word === "creating" || word === "starting" || word === "booting") return "starting";
  if (word === "online") return "online";
  return word === "saving" || word === "stopping" ? "windingDown" : "ended";
}
