import type { PlanRequest } from "@terrarium/contract";
import type { TestApp } from "./app.ts";
import { anOperator } from "./operator.ts";

const asker = {
  first_name: "Mara",
  last_name: "Lindqvist",
  email: "mara@northwind.example",
  country: "SE",
  company_name: "Northwind Mobile",
  role: "Head of QA",
  nb_of_employees: "11-50",
  nb_of_concurrent_vd: 8,
};

/** What a company fills in for a trial. */
export const trialForm = {
  ...asker,
  type_license: "enterprise",
  use_cases: "Tests of our app",
  company_activity: "Banking",
  additional_info: "",
};
export const premiumForm = { ...asker, business_describe: "We test a banking app." };

/** What an organization has just asked for, as an operator decides on it. */
export async function decideAsked(
  test: TestApp,
  organization: string,
  decision: "approve" | "reject",
): ReturnType<TestApp["call"]> {
  const operator = await anOperator(test);
  const { results } = (await operator.get("/v1/operator/plan-requests?state=REQUESTED&page_size=-1")).json<{
    results: PlanRequest[];
  }>();
  const asked = results.find((request) => request.organization.uuid === organization);
  return operator.post(`/v1/operator/plan-requests/${asked?.uuid}/decision`, { decision, reason: "a good fit" });
}
