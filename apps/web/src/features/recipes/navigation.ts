import Layers from "lucide-react/icons/layers";
import type { MainScreen } from "../../session/routes.ts";

export const navigation: readonly MainScreen[] = [["recipes", Layers]];
