import { email, type FieldRule, limits, maxLength, type PremiumRequest, required, visible } from "@terrarium/contract";
import type { Me } from "../../session/user.ts";

/** What is filled in for an offer. The last three are of the form of a trial, which such requests share. */
export const premiumForm = ({ first_name, last_name, email: address, organization }: Me) => ({
  firstName: first_name,
  lastName: last_name,
  email: address,
  country: "",
  businessDescribe: "",
  role: "",
  nbOfEmployees: "",
  nbOfConcurrentVD: "",
  companyName: organization?.name ?? "",
  isprivacyPolicyChecked: false,
  useCases: "",
  companyActivity: "",
  typeLicense: "",
});
export type PremiumForm = ReturnType<typeof premiumForm>;

const line = [required, maxLength(limits.textLength), visible];
const isChecked = (value: boolean): ReturnType<FieldRule> => (value ? undefined : { says: "required" });

/** All of it is needed. */
export const premiumRules = {
  firstName: line,
  lastName: line,
  email: [required, email],
  country: [required],
  businessDescribe: [required, maxLength(limits.planRequestLength)],
  role: line,
  nbOfEmployees: line,
  nbOfConcurrentVD: line,
  companyName: line,
  isprivacyPolicyChecked: [isChecked],
};

/** As the service takes it. */
export const premiumBody = (form: PremiumForm): PremiumRequest => ({
  first_name: form.firstName,
  last_name: form.lastName,
  email: form.email,
  company_name: form.companyName,
  role: form.role,
  country: form.country,
  nb_of_employees: form.nbOfEmployees,
  nb_of_concurrent_vd: form.nbOfConcurrentVD,
  business_describe: form.businessDescribe,
});
