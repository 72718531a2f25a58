import { useTranslation } from "react-i18next";
import { LegalText } from "./LegalText.tsx";

export default function LegalTermsPage() {
  const { t } = useTranslation();
  return (
    <LegalText
      title={t("legal.terms.title")}
      date={t("legal.terms.date")}
      sections={t("legal.terms.sections", { returnObjects: true })}
    />
  );
}
