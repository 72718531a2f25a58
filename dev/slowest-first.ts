import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files that take longest, the slowest first. Vitest begins with the largest file, and these are not large. */
const SLOWEST = [
  "every-page",
  "billing",
  "qemu-runtime",
  "simulator-runtime",
  "administration",
  "backup",
  "command-line",
  "operator",
  "restart",
  "accounts",
  "sso",
  "rolling-restart",
  "saves",
  "docker-runtime",
  "public-pages",
  "chaos",
  "ways-of-use",
  "soak",
  "newcomer",
  "launchpad",
  "main",
  "sessions",
  "kubernetes-runtime",
  "sharing",
  "in-step",
  "emulator-runtime",
  "webhooks",
  "apps",
  "profile",
  "relay",
  "catalogue",
  "automation",
  "showcase",
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
