import "../../en/audit.ts";
import { useTranslation } from "react-i18next";
import { EmptyState } from "../../components/EmptyState.tsx";
import { ListView } from "../../components/list/ListView.tsx";
import { useList } from "../../components/list/use-list.ts";
import { AdministrationHeader } from "../administration/AdministrationHeader.tsx";
import { auditList } from "./audit-list.tsx";
import { filterOf } from "./audit.queries.ts";
import { ExportMenu } from "./ExportMenu.tsx";

/** Who did what in one's organization, to whom, when and from where. */
export default function AuditPage() {
  const { t } = useTranslation();
  const list = useList(auditList, { t });
  const { search, filters } = list.address;
  return (
    <>
      <AdministrationHeader>
        <ExportMenu filter={filterOf(search, filters)} />
      </AdministrationHeader>
      <ListView state={list} empty={<EmptyState title={t("audit.empty.title")} help={t("audit.empty.help")} />} />
    </>
  );
}
