import "../../en/passkeys.ts";
import "../../en/profile.ts";
import "../../en/second-factor.ts";
import "../../en/sessions.ts";
import "../../en/sso.ts";
import { Box } from "@mui/material";
import { useTranslation } from "react-i18next";
import { PageHeader } from "../../components/PageHeader.tsx";
import { PageSection } from "../../components/PageSection.tsx";
import { useMe } from "../../session/user.ts";
import { Passkeys } from "../passkeys/Passkeys.tsx";
import { SecondFactor } from "../second-factor/SecondFactor.tsx";
import { SignedInPlaces } from "../sessions/SignedInPlaces.tsx";
import { LinkedProviders } from "../sso/LinkedProviders.tsx";
import { ChangePassword } from "./ChangePassword.tsx";
import { DeleteAccount } from "./DeleteAccount.tsx";
import { Preferences } from "./Preferences.tsx";
import { YourData } from "./YourData.tsx";
import { YourDetails } from "./YourDetails.tsx";

/** What belongs to the person who is signed in, a section for each matter. */
export default function ProfilePage() {
  const { t } = useTranslation();
  const { role } = useMe();
  return (
    <>
      <PageHeader title={t("profile.title")} />
      <Box sx={{ display: "grid", gap: 10, mt: 5 }}>
        <PageSection id="details" title={t("profile.details.title")} about={t("profile.details.about")}>
          <YourDetails />
        </PageSection>
        <PageSection id="password" title={t("profile.password.title")} about={t("profile.password.about")}>
          <ChangePassword />
        </PageSection>
        <PageSection id="second-factor" title={t("secondFactor.title")} about={t("secondFactor.about")}>
          <SecondFactor />
        </PageSection>
        <PageSection id="passkeys" title={t("passkeys.title")} about={t("passkeys.about")}>
          <Passkeys />
        </PageSection>
        <PageSection id="sessions" title={t("sessions.title")} about={t("sessions.about")}>
          <SignedInPlaces />
        </PageSection>
        {/* Nobody else decides who is an operator. */}
        {role !== "operator" && (
          <PageSection id="sign-in-with" title={t("sso.linked.title")} about={t("sso.linked.about")}>
            <LinkedProviders />
          </PageSection>
        )}
        <PageSection id="preferences" title={t("profile.preferences.title")} about={t("profile.preferences.about")}>
          <Preferences />
        </PageSection>
        <PageSection id="data" title={t("profile.data.title")} about={t("profile.data.about")}>
          <YourData />
        </PageSection>
        <PageSection id="delete" title={t("profile.delete.title")} about={t("profile.delete.about")}>
          <DeleteAccount />
        </PageSection>
      </Box>
    </>
  );
}
