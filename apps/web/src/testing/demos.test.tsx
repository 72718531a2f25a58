import { cleanup, render } from "vitest-browser-react";
import { beforeEach, describe, expect, it } from "vitest";
import { aPage, fakeService } from "./fake-service.ts";
import { InTestApp } from "./InTestApp.tsx";
import { nameless } from "./names.ts";

/** All but those of the display, which its own test renders in a page of its size. */
const files = import.meta.glob<{ demos: Record<string, React.ReactNode> }>(
  ["../**/*.demo.tsx", "!../features/display/**"],
  {
    eager: true,
  },
);

beforeEach(() => cleanup());

describe.each(Object.entries(files))("%s", (_, { demos }) => {
  it.each(Object.entries(demos))("%s: everything that can be used has a name", async (_, demo) => {
    fakeService({ "GET /v3/recipes": () => aPage([]), "GET /v2/instances": () => aPage([]) });
    const { container } = await render(<InTestApp>{demo}</InTestApp>);
    expect(container.textContent.length + document.body.textContent.length).toBeGreaterThan(0);
    expect(nameless()).toEqual([]);
  });
});
