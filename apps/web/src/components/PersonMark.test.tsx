import { afterEach, expect, it, vi } from "vitest";
import { render } from "vitest-browser-react";
import { InTestApp } from "../testing/InTestApp.tsx";
import { askForAvatarsAt } from "./avatars.ts";
import { PersonMark } from "./PersonMark.tsx";

const person = { email: " Mara@Northwind.example", first_name: "Mara", last_name: "Lindqvist" };
/** SHA-256 of mara@northwind.example */
const HASH = "4277fcf86dac5c7f79ae083391b9e2341d4f15fe375ec4e6b6b0a721f4ff4965";
const PICTURE = new URL("data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=").href;

afterEach(() => askForAvatarsAt(undefined));

async function open(service: string | undefined) {
  askForAvatarsAt(service);
  const screen = await render(
    <InTestApp>
      {/* So far below what is seen, the browser does not ask yet: only a test says what became of the picture. */}
      <div style={{ marginTop: 20_000 }}>
        <PersonMark person={person} />
      </div>
    </InTestApp>,
  );
  return { image: () => screen.container.querySelector("img") };
}

it("asks for the picture of a lower-case address by its hash, and tells not from where", async () => {
  const { image } = await open("/avatar/");
  await expect.poll(() => image()?.getAttribute("src")).toBe(`/avatar/${HASH}?d=404&s=112`);
  expect(image()?.referrerPolicy).toBe("no-referrer");
});

it("shows the initials when there is no picture, and asks no more", async () => {
  const { image } = await open("/avatar/");
  await expect.poll(() => image()).not.toBeNull();
  image()?.dispatchEvent(new Event("error"));
  await expect.poll(() => image()).toBeNull();
  const again = await open("/avatar/");
  await expect.poll(() => document.querySelectorAll("[data-initials=ML]").length).toBe(2);
  expect(again.image()).toBeNull();
});

it("covers the initials once the picture is there", async () => {
  const { image } = await open("/avatar/");
  await expect.poll(() => image()).not.toBeNull();
  expect(getComputedStyle(image()!).opacity).toBe("0");
  image()!.src = PICTURE;
  image()!.scrollIntoView();
  await expect.poll(() => getComputedStyle(image()!).opacity).toBe("1");
});

it("asks nobody where the operator wants none", async () => {
  const digest = vi.spyOn(crypto.subtle, "digest");
  const { image } = await open(undefined);
  await expect.poll(() => document.querySelectorAll("[data-initials=ML]").length).toBe(1);
  expect([image(), digest.mock.calls.length]).toEqual([null, 0]);
  digest.mockRestore();
});
