import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files that take a minute or more. Vitest begins with the largest file, and these are not large. */
const SLOWEST = [
  "restart",
  "chaos",
  "every-page",
  "ways-of-use",
  "backup",
  "rolling-restart",
  "saves",
  "soak",
  "sessions",
  "in-step",
];

/** Begins with the tests that take longest, so that none of them is left to run alone when the others have ended. */
export default class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification) =>
      SLOWEST.some((name) => moduleId.endsWith(`/${name}.peer.test.ts`));
    const sorted = await super.sort(files);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}
