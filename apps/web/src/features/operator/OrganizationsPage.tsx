import "../../en/operator.ts";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { EmptyState } from "../../components/EmptyState.tsx";
import { ListView } from "../../components/list/ListView.tsx";
import { useList } from "../../components/list/use-list.ts";
import { PageHeader } from "../../components/PageHeader.tsx";
import { routeRules } from "../../session/routes.ts";
import { organizationList } from "./organization-list.tsx";

/** All organizations of the installation. */
export default function OrganizationsPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const list = useList(organizationList, {
    t,
    open: ({ uuid }) => void navigate(`${routeRules.operatedOrganizations.path}/${uuid}`),
  });
  return (
    <>
      <PageHeader title={t("common.titles.operatedOrganizations")} />
      <ListView
        state={list}
        empty={
          <EmptyState title={t("operator.organizations.empty.title")} help={t("operator.organizations.empty.help")} />
        }
      />
    </>
  );
}
