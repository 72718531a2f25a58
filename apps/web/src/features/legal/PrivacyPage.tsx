import { useTranslation } from "react-i18next";
import { LegalText } from "./LegalText.tsx";

export default function PrivacyPage() {
  const { t } = useTranslation();
  return (
    <LegalText
      title={t("legal.privacy.title")}
      date={t("legal.privacy.date")}
      sections={t("legal.privacy.sections", { returnObjects: true })}
    />
  );
}
