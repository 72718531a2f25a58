import { escapeHtml } from "../escape-html.ts";
import type { MailContent } from "./mail.ts";

/** The content of a mail as plain text; the layout escapes it. */
export interface MailParts {
  /** Becomes one header line of at most 500 characters. */
  subject: string;
  heading: string;
  paragraphs: readonly string[];
  /** Rendered as a button. */
  action?: { label: string; url: string };
  /** Why the reader gets this mail, in small print. */
  footer: string;
}

/** What somebody wrote to the reader, by its empty lines. */
export const paragraphsOf = (message: string): string[] => message.split(/\n\s*\n/).filter(Boolean);

/**
 * The layout that all our mails share. Styles are inline because mail programs drop most others. Everything is escaped here, so
 * templates may pass user input as it is.
 * @throws TypeError when the action's URL is not http or https.
 */
export function layOut({ subject: given, heading, paragraphs, action, footer }: MailParts): MailContent {
  const subject = given.replaceAll(/\p{Cc}+/gu, " ").slice(0, 500);
  const url = action && webAddress(action.url);
  const text = [heading, ...paragraphs, ...(action ? [`${action.label}: ${url}`] : []), `-- \n${footer}`].join("\n\n");
  const button =
    action && url
      ? `<p style="margin:24px 0"><a href="${escapeHtml(url)}" style="${BUTTON}">${escapeHtml(action.label)}</a></p>
<p style="${SMALL}">If the button does nothing, open this address:<br>${escapeHtml(url)}</p>`
      : "";
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px 12px;background:#F4F7F5;color:#13201A;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:560px;margin:0 auto;padding:28px 24px;background:#FFFFFF;border:1px solid #DDE4E0;border-radius:12px">
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${escapeHtml(heading)}</h1>
${paragraphs.map((paragraph) => `<p style="margin:0 0 16px">${escapeHtml(paragraph)}</p>`).join("\n")}
${button}
</div>
<p style="max-width:560px;margin:16px auto 0;${SMALL}">${escapeHtml(footer)}</p>
</body>
</html>
`;
  return { subject, text, html };
}

const BUTTON =
  "display:inline-block;padding:12px 20px;border-radius:8px;background:#0E6B4C;color:#FFFFFF;font-weight:600;text-decoration:none";
const SMALL = "font-size:13px;color:#5F6E67;overflow-wrap:anywhere";

function webAddress(address: string): string {
  const url = new URL(address);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw new TypeError("Links in mails must be http or https");
  return url.href;
}
