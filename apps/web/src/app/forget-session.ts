import { queryClient, session } from "./client.ts";

/** Forgets what belonged to whoever was signed in. */
export function forgetSession(): void {
  session.close();
  queryClient.clear();
}
