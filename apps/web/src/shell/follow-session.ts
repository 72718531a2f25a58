import { session } from "../session/client.ts";
import { fetchCode } from "../components/fetch-code.ts";

/** Holds the realtime link open while somebody is signed in. Its code is loaded then and not before. */
export function followSession(): void {
  const follow = async () => {
    if (!session.current && !isLoaded) return;
    isLoaded = true;
    const { realtime } = await fetchCode(() => import("./realtime.ts"));
    // Until somebody has accepted the terms, the service refuses the link.
    if (session.current?.user.tnc_accepted) realtime.start();
    else realtime.stop();
  };
  let isLoaded = false;
  session.subscribe(() => void follow());
  void follow();
}
