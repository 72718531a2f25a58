import { systemClock } from "@terrarium/clock";
import { Suspense } from "react";
import { expect, it } from "vitest";
import { render } from "vitest-browser-react";
import { optionalPart } from "./optional-part.ts";

it("leaves the page as it is when its code cannot be had", async () => {
  const clock = { ...systemClock, sleep: async () => undefined };
  const Part = optionalPart<object>(() => Promise.reject(new TypeError("Failed to fetch")), clock);
  const screen = await render(
    <>
      <h1>The page</h1>
      <Suspense fallback="Loading">
        <Part />
      </Suspense>
    </>,
  );
  await expect.element(screen.getByText("Loading")).not.toBeInTheDocument();
  await expect.element(screen.getByRole("heading", { name: "The page" })).toBeVisible();
});
