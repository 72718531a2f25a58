import MonitorSmartphone from "lucide-react/icons/monitor-smartphone";
import type { MainScreen } from "../../session/routes.ts";

export const navigation: readonly MainScreen[] = [["launchpad", MonitorSmartphone]];
