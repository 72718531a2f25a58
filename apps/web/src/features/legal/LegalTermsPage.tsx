import "../../en/legal-terms.ts";
import { LegalText } from "./LegalText.tsx";

export default function LegalTermsPage() {
  return <LegalText name="terms" />;
}
