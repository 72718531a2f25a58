import { layOut, paragraphsOf } from "../../platform/mail/layout.ts";
import type { Mail } from "../../platform/mail/mail.ts";

export interface ShareMail {
  to: { email: string };
  /** Whoever has shared the recipe. */
  from: { email: string; first_name: string; last_name: string };
  recipe: { uuid: string; name: string };
  message: string;
  /** The origin of the service's pages. */
  pagesAt: string;
}

/** Notifies somebody that a recipe was shared with them. */
export function shareMail({ to, from, recipe, message, pagesAt }: ShareMail): Mail {
  const name = `${from.first_name} ${from.last_name}`.trim() || from.email;
  const content = layOut({
    subject: `${name} shared “${recipe.name}” with you`,
    heading: `${name} shared a virtual device with you`,
    paragraphs: [`You can now start devices from the recipe “${recipe.name}”.`, ...paragraphsOf(message)],
    action: { label: "Open the recipe", url: `${pagesAt}/start/${recipe.uuid}` },
    footer: `You get this mail because ${from.email} shared a recipe with ${to.email} on Terrarium.`,
  });
  return { to: { address: to.email }, ...content };
}
