import "../../en/legal-privacy.ts";
import { LegalText } from "./LegalText.tsx";

export default function PrivacyPage() {
  return <LegalText name="privacy" />;
}
