import KeyRound from "lucide-react/icons/key-round";
import type { MainScreen } from "../../session/routes.ts";

export const navigation: readonly MainScreen[] = [["api", KeyRound]];
