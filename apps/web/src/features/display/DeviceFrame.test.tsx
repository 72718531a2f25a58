import { expect, it } from "vitest";
import { render } from "vitest-browser-react";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { DeviceFrame } from "./DeviceFrame.tsx";
import { frameLayout } from "./frame-layout.ts";

const layout = (width: number, height: number) =>
  frameLayout({ width: 500, height: 500 }, { width, height }, "PHONE", 1);
const framed = (width: number, height: number) => (
  <InTestApp>
    <DeviceFrame layout={layout(width, height)}>picture</DeviceFrame>
  </InTestApp>
);

it("turns with its picture, from how it stood, and stays where it is when only the size changes", async () => {
  const screen = await render(framed(1080, 2400));
  const turns = () =>
    screen
      .getByTestId("device-frame")
      .element()
      .getAnimations()
      .map(({ effect }) => (effect as KeyframeEffect).getKeyframes()[0]?.["transform"]);
  await screen.rerender(framed(540, 1000));
  expect(turns()).toEqual([]);
  await screen.rerender(framed(1000, 540));
  expect(turns()).toEqual(["rotate(90deg) scale(1)"]);
});
