import "../../en/hardware-profiles.ts";
import { Button } from "@mui/material";
import type { HardwareProfile } from "@terrarium/contract";
import Copy from "lucide-react/icons/copy";
import PencilLine from "lucide-react/icons/pencil-line";
import Trash2 from "lucide-react/icons/trash-2";
import { useTranslation } from "react-i18next";
import { EmptyState } from "../../components/EmptyState.tsx";
import type { RowAction } from "../../components/list/list.ts";
import { PageHeader } from "../../components/PageHeader.tsx";
import { OpenDialog, useDialog } from "../../components/use-dialog.tsx";
import { useMe } from "../../session/user.ts";
import { CatalogueView } from "../../shared/catalogue/CatalogueView.tsx";
import { mayEdit } from "../../shared/catalogue/may-edit.ts";
import { useCatalogue } from "../../shared/catalogue/use-catalogue.ts";
import { DeleteProfileDialog } from "./DeleteProfileDialog.tsx";
import { hardwareProfilePage } from "./hardware-profiles.queries.ts";
import { ProfileCard } from "./ProfileCard.tsx";
import { ProfileDetails } from "./ProfileDetails.tsx";
import { ProfileDialog } from "./ProfileDialog.tsx";
import { RecentProfiles } from "./RecentProfiles.tsx";

type Asked = { what: "create" } | { what: "details" | "edit" | "duplicate" | "delete"; profile: HardwareProfile };

/** What devices can be made of: the official profiles and those of one's organization. */
export default function HardwareProfilesPage() {
  const { t } = useTranslation();
  const me = useMe();
  const { asked, ask: setAsked, close } = useDialog<Asked>();
  const state = useCatalogue<HardwareProfile>({
    query: ({ source, search, page, page_size }) =>
      hardwareProfilePage({ page, page_size, ...(search && { search }), ...(source && { source }) }),
  });

  /** The main action last, as in a dialog. */
  const actionsOf = (profile: HardwareProfile): RowAction[] => {
    const { name } = profile;
    const action = (what: "edit" | "duplicate" | "delete", glyph: RowAction["glyph"], isMain = false): RowAction => ({
      id: what,
      glyph,
      label: t(`hardwareProfiles.actions.${what}Of`, { name }),
      short: t(`hardwareProfiles.actions.${what}`),
      isMain,
      run: () => setAsked({ what, profile }),
    });
    return mayEdit(me, profile)
      ? [action("delete", Trash2), action("duplicate", Copy), action("edit", PencilLine, true)]
      : [action("duplicate", Copy, true)];
  };
  const create = { label: t("hardwareProfiles.create"), run: () => setAsked({ what: "create" }) };

  return (
    <>
      <PageHeader title={t("hardwareProfiles.title")} action={create} />
      {!state.isFiltered && state.address.page === 1 && (
        <RecentProfiles onOpen={(profile) => setAsked({ what: "details", profile })} />
      )}
      <CatalogueView
        state={state}
        words={{
          label: t("hardwareProfiles.list"),
          search: t("hardwareProfiles.search"),
          count: (count) => t("hardwareProfiles.count", { count }),
          failed: { title: t("errors.fetchHardwareProfiles"), help: t("hardwareProfiles.failed") },
          noMatch: (search) => (search ? t("hardwareProfiles.noMatch", { search }) : t("hardwareProfiles.noneOfThese")),
        }}
        idOf={({ uuid }) => uuid}
        card={(profile) => (
          <ProfileCard
            profile={profile}
            me={me.uuid}
            actions={actionsOf(profile)}
            open={() => setAsked({ what: "details", profile })}
          />
        )}
        empty={
          <EmptyState title={t("hardwareProfiles.empty.title")} help={t("hardwareProfiles.empty.help")}>
            <Button onClick={create.run}>{create.label}</Button>
          </EmptyState>
        }
      />
      <OpenDialog
        asked={asked}
        dialogs={{
          details: ({ profile }) => (
            <ProfileDetails profile={profile} me={me.uuid} actions={actionsOf(profile)} onClose={close} />
          ),
          delete: ({ profile }) => <DeleteProfileDialog profile={profile} onClose={close} />,
          create: () => <ProfileDialog what="create" onClose={close} />,
          edit: ({ profile }) => <ProfileDialog what="edit" profile={profile} onClose={close} />,
          duplicate: ({ profile }) => <ProfileDialog what="duplicate" profile={profile} onClose={close} />,
        }}
      />
    </>
  );
}
