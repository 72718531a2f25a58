import "../../en/os-images.ts";
import { useQuery } from "@tanstack/react-query";
import type { OsImage } from "@terrarium/contract";
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
import { isSaving } from "../../shared/catalogue/StatusMark.tsx";
import { useCatalogue } from "../../shared/catalogue/use-catalogue.ts";
import { organizationOf } from "../../shared/organizations.queries.ts";
import { DeleteImageDialog } from "./DeleteImageDialog.tsx";
import { ImageCard } from "./ImageCard.tsx";
import { ImageDetails } from "./ImageDetails.tsx";
import { NameDialog } from "./NameDialog.tsx";
import { osImagePage } from "./os-images.queries.ts";

type Change = "edit" | "duplicate" | "delete";
const glyphs = { edit: PencilLine, duplicate: Copy, delete: Trash2 };

/** What Android devices can start with: the official images, and those that were saved or duplicated in one's organization. */
export default function OsImagesPage() {
  const { t } = useTranslation();
  const me = useMe();
  // What the details say of it is then of today.
  useQuery({ ...organizationOf(me), refetchOnMount: "always" });
  const { asked, ask: setAsked, close } = useDialog<{ what: "details" | Change; image: OsImage }>();
  const state = useCatalogue<OsImage>({
    query: ({ source, search, arch, page, page_size }) =>
      osImagePage({ page, page_size, arch: [arch], ...(search && { search }), ...(source && { source }) }),
  });

  /** The main action last, as in a dialog. */
  const actionsOf = (image: OsImage): RowAction[] => {
    const { name, status } = image;
    const isTheirs = mayEdit(me, image);
    const offered: Change[] = [
      ...(isTheirs && !isSaving(status) ? (["delete"] as const) : []),
      ...(status === "READY" ? (["duplicate"] as const) : []),
      ...(isTheirs ? (["edit"] as const) : []),
    ];
    return offered.map((what) => ({
      id: what,
      glyph: glyphs[what],
      label: t(`osImages.actions.${what}Of`, { name }),
      short: t(`osImages.actions.${what}`),
      isMain: what === offered.at(-1),
      run: () => setAsked({ what, image }),
    }));
  };

  return (
    <>
      <PageHeader title={t("osImages.title")} />
      <CatalogueView
        state={state}
        hasArch
        words={{
          label: t("osImages.list"),
          search: t("osImages.search"),
          count: (count) => t("osImages.count", { count }),
          failed: { title: t("errors.fetchOSImages"), help: t("osImages.failed") },
          noMatch: (search) => (search ? t("osImages.noMatch", { search }) : t("osImages.noneOfThese")),
        }}
        idOf={({ uuid }) => uuid}
        card={(image) => (
          <ImageCard
            image={image}
            me={me.uuid}
            actions={actionsOf(image)}
            open={() => setAsked({ what: "details", image })}
          />
        )}
        empty={<EmptyState title={t("osImages.empty.title")} help={t("osImages.empty.help")} />}
      />
      <OpenDialog
        asked={asked}
        dialogs={{
          details: ({ image }) => <ImageDetails image={image} me={me} actions={actionsOf(image)} onClose={close} />,
          delete: ({ image }) => <DeleteImageDialog image={image} onClose={close} />,
          edit: ({ image }) => <NameDialog what="edit" image={image} onClose={close} />,
          duplicate: ({ image }) => <NameDialog what="duplicate" image={image} onClose={close} />,
        }}
      />
    </>
  );
}
