import { writeFile } from "node:fs/promises";
import type { Page } from "playwright";

/** Takes a picture of what a page shows into docs/images: as WebP, which has a third of a PNG's bytes. */
export async function takePicture(page: Page, name: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const { data } = await devtools.send("Page.captureScreenshot", { format: "webp", quality: 85 });
  await writeFile(new URL(`../../docs/images/${name}.webp`, import.meta.url), data, "base64");
}
