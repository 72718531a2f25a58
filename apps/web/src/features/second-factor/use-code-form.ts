import { required } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import type { AppForm } from "../../components/form/app-form.ts";
import { useAppForm } from "../../components/form/use-form.ts";

export type CodeForm = AppForm<{ code: string }>;
export type CodeKind = "totp" | "recovery";

/** As apps show codes in two groups, and people copy them so. */
const withoutSpaces = (code: string) => code.replaceAll(/\s/g, "");

/** The form for one code, of the app or of those for recovery. `onExpired` is called when there is no more time for it. */
export function useCodeForm(kind: CodeKind, send: (code: string) => Promise<unknown>, onExpired: () => void): CodeForm {
  const { t } = useTranslation();
  return useAppForm({
    initial: { code: "" },
    rules: {
      code: [
        required,
        (code) =>
          kind === "recovery" || /^\d{6}$/.test(withoutSpaces(code))
            ? undefined
            : { message: t("secondFactor.errors.digits") },
      ],
    },
    send: ({ code }) => send(withoutSpaces(code)),
    refusalOf(code) {
      if (code === "SECOND_FACTOR_WRONG") return { field: "code", says: t(`secondFactor.errors.${kind}`) };
      if (code === "TOO_MANY_REQUESTS") return t("secondFactor.errors.tooMany");
      if (code === "SECOND_FACTOR_EXISTS") return t("secondFactor.proof.changed");
      if (code !== "SECOND_FACTOR_EXPIRED") return t("secondFactor.proof.failed");
      onExpired();
      return t("secondFactor.errors.expired");
    },
  });
}
