import { useState } from "react";
import { expect, it, vi } from "vitest";
import { userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { InTestApp } from "../testing/InTestApp.tsx";
import { nameless } from "../testing/names.ts";
import { EmailChips, type Suggestion } from "./EmailChips.tsx";

interface Options {
  value?: string[];
  suggestions?: Suggestion[];
}

async function open({ value = [], suggestions }: Options = {}) {
  const changed = vi.fn<(emails: string[]) => void>();
  const typed = vi.fn<(text: string) => void>();
  const submitted = vi.fn();
  function Field() {
    const [emails, setEmails] = useState(value);
    return (
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submitted();
        }}
      >
        <EmailChips
          label="People"
          value={emails}
          onChange={(next) => {
            changed(next);
            setEmails(next);
          }}
          isWrong={(email) => !email.includes("@")}
          suggestions={suggestions}
          onType={typed}
        />
        <button>Next</button>
      </form>
    );
  }
  const screen = await render(<Field />, { wrapper: InTestApp });
  const field = screen.getByRole("combobox", { name: "People" });
  await field.click();
  const paste = (text: string) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", text);
    field.element().dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  };
  const chip = (email: string) => screen.getByRole("button", { name: `Remove ${email}` });
  return { screen, field, changed, typed, submitted, paste, chip, last: () => changed.mock.lastCall?.[0] };
}

it.each([",", ";", " ", "{Enter}"])("makes a chip of an address with %s, and not before", async (separator) => {
  const { field, changed, last, submitted } = await open();
  await userEvent.keyboard("a@b.co");
  expect(changed).not.toHaveBeenCalled();
  await userEvent.keyboard(separator);
  expect(last()).toEqual(["a@b.co"]);
  await expect.element(field).toHaveValue("");
  expect(submitted).not.toHaveBeenCalled();
});

it("makes a chip of what was typed when it is left", async () => {
  const { last } = await open();
  await userEvent.keyboard("a@b.co{Tab}");
  expect(last()).toEqual(["a@b.co"]);
});

it("sends its form with Enter when nothing is typed", async () => {
  const { submitted } = await open({ value: ["a@b.co"] });
  await userEvent.keyboard("{Enter}");
  expect(submitted).toHaveBeenCalledOnce();
});

it.each(["a@b.co, c@d.co;e@f.co", "a@b.co\nc@d.co\r\ne@f.co\n", "A <a@b.co>, C D <c@d.co>, e@f.co"])(
  "makes chips of all addresses of a paste: %j",
  async (text) => {
    const { paste, last } = await open();
    paste(text);
    expect(last()).toEqual(["a@b.co", "c@d.co", "e@f.co"]);
  },
);

it("leaves a single address that is pasted as if it were typed", async () => {
  const { paste, changed } = await open();
  paste("a@b.co");
  expect(changed).not.toHaveBeenCalled();
});

it("has an address once", async () => {
  const { field, changed, paste, last } = await open({ value: ["a@b.co"] });
  await userEvent.keyboard("A@B.co,");
  await userEvent.keyboard("a@b.co{Enter}");
  expect(changed).not.toHaveBeenCalled();
  await expect.element(field).toHaveValue("");
  paste("c@d.co, a@b.co, c@d.co");
  expect(last()).toEqual(["a@b.co", "c@d.co"]);
});

it("marks what is wrong, in words as well", async () => {
  const { screen, chip } = await open({ value: ["a@b.co", "abc"] });
  await expect.element(chip("abc, which is wrong")).toBeVisible();
  await expect.element(chip("a@b.co")).toBeVisible();
  expect(screen.getByRole("button", { name: "Remove a@b.co, which is wrong" }).elements()).toEqual([]);
  expect(nameless()).toEqual([]);
});

it("loses a chip by its cross, and what is being typed stays", async () => {
  const { field, chip, last } = await open({ value: ["a@b.co", "c@d.co"] });
  await userEvent.keyboard("mar");
  await chip("a@b.co").click();
  expect(last()).toEqual(["c@d.co"]);
  await expect.element(field).toHaveFocus();
  await expect.element(field).toHaveValue("mar");
});

it.each([
  ["{Backspace}", ["a@b.co", "c@d.co"]],
  ["{ArrowLeft}{ArrowLeft}{Delete}", ["a@b.co", "e@f.co"]],
  ["{ArrowLeft}{ArrowLeft}{ArrowLeft}{Backspace}", ["c@d.co", "e@f.co"]],
  ["{ArrowLeft}{ArrowLeft}{ArrowRight}{Enter}", ["a@b.co", "c@d.co"]],
  ["{ArrowLeft} ", ["a@b.co", "c@d.co"]],
])("loses a chip by %s", async (keys, left) => {
  const { last, field, submitted } = await open({ value: ["a@b.co", "c@d.co", "e@f.co"] });
  await userEvent.keyboard(keys);
  expect(last()).toEqual(left);
  await expect.element(field).toHaveFocus();
  expect(submitted).not.toHaveBeenCalled();
});

it("is one stop of the Tab key, however many chips it has", async () => {
  const { screen } = await open({ value: ["a@b.co", "c@d.co"] });
  await userEvent.keyboard("{Tab}");
  await expect.element(screen.getByRole("button", { name: "Next" })).toHaveFocus();
});

it("is emptied at once", async () => {
  const { screen, last } = await open({ value: ["a@b.co", "c@d.co"] });
  await screen.getByRole("button", { name: "Clear" }).click();
  expect(last()).toEqual([]);
});

it("offers people while their name is typed, but for those it has", async () => {
  const mara = { email: "mara@demo.test", name: "Mara Lindqvist" };
  const { screen, typed, last, field } = await open({
    value: ["kim@demo.test"],
    suggestions: [mara, { email: "kim@demo.test", name: "Kim Moss" }],
  });
  await userEvent.keyboard("m");
  expect(typed).toHaveBeenLastCalledWith("m");
  expect(
    screen
      .getByRole("option")
      .elements()
      .map(({ textContent }) => textContent),
  ).toEqual(["Mara Lindqvistmara@demo.test"]);
  await userEvent.keyboard("{ArrowDown}{Enter}");
  expect(last()).toEqual(["kim@demo.test", "mara@demo.test"]);
  await expect.element(field).toHaveValue("");
});

it("says to screen readers what was added and removed", async () => {
  const { screen, paste, chip } = await open({ value: ["a@b.co"] });
  paste("c@d.co, e@f.co");
  await expect.element(screen.getByRole("status").last()).toHaveTextContent("Added 2 addresses");
  await chip("c@d.co").click();
  await expect.element(screen.getByRole("status").last()).toHaveTextContent("Removed c@d.co");
});
