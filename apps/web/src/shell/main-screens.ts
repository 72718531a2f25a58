import { guard } from "../session/guards.ts";
import { type MainScreen, routeRules, type ScreenName } from "../session/routes.ts";
import { useMe } from "../session/user.ts";

const found = import.meta.glob<readonly MainScreen[]>("../features/*/navigation.ts", {
  eager: true,
  import: "navigation",
});
const places = Object.keys(routeRules);

/** The screens that navigation and palette lead to, in the order of the rules. */
export const mainScreens: readonly MainScreen[] = Object.values(found)
  .flat()
  .toSorted(([one], [other]) => places.indexOf(one) - places.indexOf(other));

/** Whether this person may enter a screen. */
export function useMayEnter(): (screen: ScreenName) => boolean {
  const me = useMe();
  const visitor = { role: me.role, hasAcceptedTerms: me.tnc_accepted };
  return (screen) => guard(routeRules[screen], visitor, routeRules[screen].path) === undefined;
}
