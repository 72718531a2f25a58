import { lazy, Suspense, useSyncExternalStore } from "react";
import { fetchCode } from "../../components/fetch-code.ts";
import { readQuestion, watchQuestion } from "./bank-question.ts";

const BankDialog = lazy(() => fetchCode(() => import("./BankDialog.tsx")));

/** Shows what the sandbox's bank asks, on whatever page it is asked. */
export function SandboxBank() {
  const question = useSyncExternalStore(watchQuestion, readQuestion, readQuestion);
  return (
    question && (
      <Suspense>
        <BankDialog key={question.clientSecret} question={question} />
      </Suspense>
    )
  );
}
