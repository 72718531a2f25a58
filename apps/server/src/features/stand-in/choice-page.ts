import type { FastifyReply } from "fastify";
import { escapeHtml } from "../../platform/escape-html.ts";

const LABELS = { google: "Google", github: "GitHub" };

/** The page on which one chooses who to be. */
export function choicePage(
  reply: FastifyReply,
  provider: keyof typeof LABELS,
  query: Readonly<Record<string, string>>,
  accounts: readonly { email: string }[],
): FastifyReply {
  const label = LABELS[provider];
  const people = accounts.map(({ email }) => {
    const address = `?${new URLSearchParams({ ...query, as: email })}`;
    return `<a href="${escapeHtml(address)}">${escapeHtml(email)}</a>`;
  });
  const hidden = Object.entries(query).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  // Where it leads to is this machine, though perhaps by another name, which `form-action` would not allow.
  void reply.header("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'");
  return reply.type("text/html; charset=utf-8").send(`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Stand-in for ${label}</title>
<style>${STYLE}</style></head>
<body><main>
<h1>Stand-in for ${label}</h1>
<p>This demonstration plays ${label} itself. Nothing leaves this machine. Who do you want to be?</p>
${people.join("\n")}
<form>${hidden.join("")}
<label for="as">Somebody else</label>
<input id="as" name="as" type="email" required autocomplete="off" placeholder="robin@example.com">
<button>Continue</button>
</form>
</main></body>
</html>
`);
}

const STYLE = `
:root { color-scheme: light dark }
body { margin: 0; padding: 14vh 16px 24px; font: 14px/20px system-ui, sans-serif;
  background: light-dark(#F4F7F5, #0C1210); color: light-dark(#13201A, #E7EEEA) }
main { max-width: 352px; margin: 0 auto; padding: 24px; border: 2px dashed light-dark(#7A8982, #62736B); border-radius: 14px;
  background: light-dark(#FFFFFF, #131A17) }
h1 { margin: 0 0 8px; font-size: 20px; line-height: 28px }
p { margin: 0 0 16px; color: light-dark(#47564F, #A9B7B0) }
a, button, input { box-sizing: border-box; display: block; width: 100%; min-height: 44px; margin: 0 0 8px; padding: 11px 16px;
  border: 1px solid light-dark(#7A8982, #62736B); border-radius: 6px; background: none; color: inherit; font: inherit;
  text-align: left; text-decoration: none; overflow-wrap: anywhere; cursor: pointer }
input { cursor: text }
a:hover, button:hover { background: light-dark(#EAEFEC, #19221E) }
:focus-visible { outline: 2px solid light-dark(#0E6B4C, #86D9B4); outline-offset: 2px }
label { display: block; margin: 16px 0 4px; font-weight: 600 }
button { background: light-dark(#0E6B4C, #69C89E); border: 0; color: light-dark(#FFFFFF, #05251A); text-align: center }
button:hover { background: light-dark(#0A5239, #86D9B4) }
`;
