import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";

/** What programs read of a PDF. */
export async function readPdf(bytes: Uint8Array) {
  const pdf = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise;
  const pages: { width: number; height: number; lines: string[] }[] = [];
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number);
    const [, , width = 0, height = 0] = page.view;
    const { items } = await page.getTextContent();
    const byLine = Map.groupBy(
      items.flatMap((item) => ("str" in item && item.str.trim() !== "" ? [item] : [])),
      ({ transform }) => Math.round(Number(transform[5])),
    );
    const lines = [...byLine]
      .toSorted(([one], [other]) => other - one)
      .map(([, parts]) => parts.map(({ str }) => str).join(" | "));
    pages.push({ width: Math.round(width), height: Math.round(height), lines });
  }
  const attached: Record<string, string> = {};
  for (const [name] of (await pdf.getAttachments()) ?? []) {
    const content: unknown = await pdf.getAttachmentContent(name);
    attached[name] = content instanceof Uint8Array ? new TextDecoder().decode(content) : "";
  }
  const read = {
    pages,
    /** All of them together. */
    lines: pages.flatMap(({ lines }) => lines),
    scripts: await pdf.getJSActions(),
    opens: await pdf.getOpenAction(),
    // Its types say that it is an object.
    isTagged: ((await pdf.getMarkInfo()) as unknown as Map<string, boolean> | null)?.get("Marked"),
    tree: await (await pdf.getPage(1)).getStructTree(),
    title: ((await pdf.getMetadata()).info as { Title?: string }).Title,
    attached,
  };
  await pdf.loadingTask.destroy();
  return read;
}
