import LayoutDashboard from "lucide-react/icons/layout-dashboard";
import type { MainScreen } from "../../session/routes.ts";

export const navigation: readonly MainScreen[] = [["administration", LayoutDashboard]];
