import { afterEach, expect, it } from "vitest";
import "../en/sentences.ts";
import { queryClient } from "../session/client.ts";
import { publicSettings } from "../session/settings.ts";
import { someSettings } from "../testing/factories.ts";
import { fakeService } from "../testing/fake-service.ts";
import { soon } from "../testing/soon.ts";
import { showIn } from "./show.tsx";

afterEach(() => delete document.documentElement.dataset["isKnown"]);

it("asks for the settings anew where the page came with some, also if it is not shown to this visitor", async () => {
  const block = document.createElement("script");
  block.type = "application/json";
  block.id = "settings";
  block.textContent = JSON.stringify(someSettings({ version: "of the start" }));
  const root = document.createElement("div");
  Object.assign(root.dataset, { path: "/", forStrangers: "" });
  document.body.append(block, root);
  document.documentElement.dataset["isKnown"] = "";
  // Of the address of this test.
  queryClient.clear();
  fakeService({ "GET /v1/settings": () => someSettings({ version: "of now" }) });
  await showIn(root);
  await soon(() => expect(queryClient.getQueryData(publicSettings.queryKey)).toMatchObject({ version: "of now" }));
});
