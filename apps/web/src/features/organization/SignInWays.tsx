import { Box } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import { type SignInRules, type SignInWay, signInWays } from "@terrarium/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { CheckboxField } from "../../components/form/CheckboxField.tsx";
import { ChoiceField } from "../../components/form/ChoiceField.tsx";
import { Form } from "../../components/form/Form.tsx";
import { useAppForm, useValues } from "../../components/form/use-form.ts";
import { client } from "../../session/client.ts";
import { publicSettings } from "../../session/settings.ts";
import { RuleDialog } from "./RuleDialog.tsx";
import { SaveButton } from "../../shared/SaveButton.tsx";

type Ways = Record<SignInWay, boolean>;

interface Values {
  which: "any" | "some";
  ways: Ways;
}

/** In which ways members may sign in: those that there are here. */
export function SignInWays({ uuid, rules }: { uuid: string; rules: SignInRules }) {
  const { t } = useTranslation();
  const { data: settings } = useQuery(publicSettings);
  const [asked, setAsked] = useState<SignInWay[] | null>();
  const { allowed_sign_ins: allowed, own_provider } = rules;
  const providers = new Map(settings?.sso_providers.map(({ name, label }) => [name, label]));
  const isThere = (way: SignInWay): boolean => {
    if (way === "password") return true;
    if (way === "passkey") return Boolean(settings?.passkeys_at);
    return way === "organization" ? own_provider !== null : providers.has(way);
  };
  const there = signInWays.filter(isThere);
  const none = ({ which, ways }: Values) =>
    which === "some" && !there.some((way) => ways[way]) ? t("organization.rules.ways.none") : undefined;
  const form = useAppForm<Values>({
    initial: {
      which: allowed ? "some" : "any",
      ways: Object.fromEntries(signInWays.map((way) => [way, !allowed || allowed.includes(way)])) as Ways,
    },
    *check(values) {
      const message = none(values);
      if (message !== undefined) yield ["which", { message }];
    },
    send: async ({ which, ways }) => setAsked(which === "any" ? null : there.filter((way) => ways[way])),
    refusalOf: () => t("organization.failed"),
  });
  const values = useValues(form);
  const nameOf = (way: SignInWay): string => {
    if (way === "organization") return t("organization.rules.ways.own", { domain: own_provider ?? "" });
    return way === "password" || way === "passkey" ? t(`organization.rules.ways.${way}`) : (providers.get(way) ?? way);
  };
  return (
    <>
      <Form form={form} submit={<SaveButton form={form} />}>
        <ChoiceField
          form={form}
          name="which"
          label={t("organization.rules.ways.label")}
          help={t("organization.rules.ways.help")}
          error={none(values)}
          choices={[
            { value: "any", label: t("organization.rules.ways.any") },
            { value: "some", label: t("organization.rules.ways.some") },
          ]}
        />
        {values.which === "some" && (
          <Box
            component="fieldset"
            aria-label={t("organization.rules.ways.some")}
            sx={{ border: 0, m: 0, p: 0, minWidth: 0 }}
          >
            {there.map((way) => (
              <CheckboxField key={way} form={form} name={`ways.${way}`} label={nameOf(way)} />
            ))}
          </Box>
        )}
      </Form>
      {asked !== undefined && (
        <RuleDialog
          text={
            asked
              ? t("organization.rules.ways.narrow", { ways: asked.map(nameOf).join(", ") })
              : t("organization.rules.ways.widen")
          }
          send={(proof) => client.signInRules.set({ params: { uuid }, body: { ...proof, allowed_sign_ins: asked } })}
          refusalOf={(code) => (code === "SIGN_IN_NEEDED" ? t("organization.rules.ways.needed") : undefined)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}
