import type { QueryObserverResult } from "@tanstack/react-query";

export type RequestState = "NOT_STARTED" | "PENDING" | "FINISHED_OK" | "FINISHED_ERROR";

/** Where a request for data stands: what a screen shows while there is none follows from it. */
export function requestState({
  status,
  fetchStatus,
}: Pick<QueryObserverResult, "status" | "fetchStatus">): RequestState {
  if (status === "success") return "FINISHED_OK";
  if (status === "error") return "FINISHED_ERROR";
  return fetchStatus === "idle" ? "NOT_STARTED" : "PENDING";
}
