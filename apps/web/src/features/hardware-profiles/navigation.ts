import Cpu from "lucide-react/icons/cpu";
import type { MainScreen } from "../../session/routes.ts";

export const navigation: readonly MainScreen[] = [["hardwareProfiles", Cpu]];
