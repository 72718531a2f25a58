import { createServer } from "node:http";
import { onTestFinished } from "vitest";

/** A service that knows which VAT numbers are in use, and says what a test has it say. */
export async function aTaxOffice() {
  const office = {
    url: "",
    answer: {} as object,
    asked: [] as string[],
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const server = createServer((request, response) => {
    office.asked.push(request.url ?? "");
    response.setHeader("content-type", "application/json").end(JSON.stringify(office.answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(office.stop);
  const address = server.address();
  office.url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`;
  return office;
}
