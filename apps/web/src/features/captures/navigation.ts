import Film from "lucide-react/icons/film";
import type { MainScreen } from "../../session/routes.ts";

export const navigation: readonly MainScreen[] = [["captures", Film]];
