import { layOut } from "../../platform/mail/layout.ts";
import type { Mail } from "../../platform/mail/mail.ts";

export interface ShareMail {
  to: { email: string };
  /** Whoever has shared the recipe. */
  from: { email: string; first_name: string; last_name: string };
  recipe: { uuid: string; name: string };
  message: string;
  /** Where the service is; undefined if it is not known for sure. */
  origin: string | undefined;
}

/** Tells somebody that a recipe was shared with them. */
export function shareMail({ to, from, recipe, message, origin }: ShareMail): Mail {
  const name = `${from.first_name} ${from.last_name}`.trim() || from.email;
  const content = layOut({
    subject: oneLine(`${name} shared “${recipe.name}” with you`),
    heading: `${name} shared a virtual device with you`,
    paragraphs: [
      `You can now start devices from the recipe “${recipe.name}”.`,
      ...message.split(/\n\s*\n/).filter(Boolean),
      ...(origin === undefined ? ["Sign in to Terrarium: you find it among your recipes."] : []),
    ],
    ...(origin !== undefined && { action: { label: "Open the recipe", url: `${origin}/start/${recipe.uuid}` } }),
    footer: `You get this mail because ${from.email} shared a recipe with ${to.email} on Terrarium.`,
  });
  return { to: { address: to.email }, ...content };
}

/** A subject is one header line of at most 500 characters. */
const oneLine = (text: string): string => text.replaceAll(/\p{Cc}+/gu, " ").slice(0, 500);
