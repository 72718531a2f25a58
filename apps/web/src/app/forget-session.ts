import { queryClient, session } from "./client.ts";
import { newDevices } from "./new-devices.ts";

/** Forgets what belonged to whoever was signed in. */
export function forgetSession(how: { bySelf?: boolean } = {}): void {
  session.close(how);
  queryClient.clear();
  newDevices.clear();
}
