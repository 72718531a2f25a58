import type { TFunction } from "i18next";
import { routeRules } from "../../session/routes.ts";

/** Of the picture, which the service gives to any site. */
const BADGE = "/badge.svg";
/** What the picture says; there is nothing in it to escape. */
const ALT = "Try it in Terrarium";
export const badge = { src: BADGE, alt: ALT, width: 152, height: 28 };

/** The link to a recipe, and a badge with that link for pages elsewhere. `origin`: where the service is. */
export function recipeLinks(t: TFunction, uuid: string, origin: string) {
  const link = origin + routeRules.start.path.replace(":uuid", uuid);
  const picture = origin + BADGE;
  const image = `<img src="${picture}" alt="${ALT}" width="${badge.width}" height="${badge.height}">`;
  return [
    { id: "link", label: t("recipes.links.link"), text: link },
    { id: "markdown", label: t("recipes.links.markdown"), text: `[![${ALT}](${picture})](${link})` },
    { id: "html", label: t("recipes.links.html"), text: `<a href="${link}">${image}</a>` },
  ] as const;
}
