import { useEffect } from "react";
import { useTranslation } from "react-i18next";

/** Names the page after what it shows, once that is known. */
export function useTitle(name: string | undefined): void {
  const { t } = useTranslation();
  useEffect(() => {
    if (name) document.title = t("common.titles.page", { name });
  }, [name, t]);
}
