import Disc3 from "lucide-react/icons/disc-3";
import type { MainScreen } from "../../session/routes.ts";

export const navigation: readonly MainScreen[] = [["images", Disc3]];
