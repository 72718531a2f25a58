import { expect, it } from "vitest";
import { render } from "vitest-browser-react";
import { InTestApp } from "../testing/InTestApp.tsx";
import { InstanceState } from "./InstanceState.tsx";

const since = "2026-03-05T14:00:00Z";

it.each([
  [null, "Creating"],
  [{ since, place: null, starts_at: null }, "Waiting for room"],
  [{ since, place: 3, starts_at: null }, "Waiting, place 3"],
  [{ since, place: 3, starts_at: new Date(2026, 2, 5, 15, 7).toISOString() }, "Waiting, place 3, about 3:07 PM"],
])("of a device with the queue %j is %s", async (queue, text) => {
  const screen = await render(
    <InTestApp>
      <InstanceState state="CREATING" queue={queue} />
    </InTestApp>,
  );
  await expect.element(screen.getByText(text, { exact: true })).toBeVisible();
});
