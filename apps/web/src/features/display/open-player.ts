import { playerFrom } from "@terrarium/sdk/display";
import { fetchCode } from "../../components/fetch-code.ts";

/** Opens the real player. Its code is large and comes with the first picture. */
export const openPlayer = playerFrom(() => fetchCode(() => import("@genymotion/device-web-player")));
