import { expect, it } from "vitest";
import { layOut } from "./layout.ts";

const parts = {
  subject: "Come in",
  heading: 'Robin <b>Reed</b> asks you to join "Ferns & Co"',
  paragraphs: ["<img src=x onerror=alert(1)>", "It's free."],
  action: { label: "Join <now>", url: "https://devices.example.com/join/a?b=1&c=2" },
  footer: "You get this because somebody typed robin@example.com.",
};

it("layOut escapes all text", () => {
  const { html } = layOut(parts);
  expect(html).toContain("Robin &lt;b&gt;Reed&lt;/b&gt; asks you to join &quot;Ferns &amp; Co&quot;");
  expect(html).toContain("&lt;img src=x onerror=alert(1)&gt;");
  expect(html).toContain("Join &lt;now&gt;");
  expect(html).toContain('href="https://devices.example.com/join/a?b=1&amp;c=2"');
  expect(html).not.toMatch(/<(img|b|now)\b/);
});

it("layOut produces a plain text version", () => {
  expect(layOut(parts).text).toBe(
    [
      'Robin <b>Reed</b> asks you to join "Ferns & Co"',
      "<img src=x onerror=alert(1)>",
      "It's free.",
      "Join <now>: https://devices.example.com/join/a?b=1&c=2",
      "-- \nYou get this because somebody typed robin@example.com.",
    ].join("\n\n"),
  );
});

it.each(["javascript:alert(1)", "data:text/html,x", "not an address"])("layOut links to no %s", (url) => {
  expect(() => layOut({ ...parts, action: { label: "Go", url } })).toThrow(TypeError);
});
