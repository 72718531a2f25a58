import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files that take longest, the slowest first. Vitest begins with the largest file, and these are not large. */
const SLOWEST = [
  "every-page",
  "billing",
  "launchpad",
  "qemu-runtime",
  "docker-runtime",
  "command-line",
  "administration",
  "catalogue",
  "simulator-runtime",
  "sessions",
  "kubernetes-runtime",
  "chaos",
  "backup",
  "accounts",
  "emulator-runtime",
  "sso",
  "restart",
  "public-pages",
  "operator",
  "rolling-restart",
  "newcomer",
  "soak",
  "webhooks",
  "automation",
  "sdk",
  "saves",
  "apps",
  "main",
  "relay",
  "agents",
  "showcase",
  "idle-devices",
  "shelf",
  "start-postgres",
].map((name) => `/${name}.peer.test.ts`);

/** Begins with the tests that take longest, so that none of them is left to run alone when the others have ended. */
export default class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification) => {
      const rank = SLOWEST.findIndex((end) => moduleId.endsWith(end));
      return rank === -1 ? SLOWEST.length : rank;
    };
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}
