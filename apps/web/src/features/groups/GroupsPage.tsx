import "../../en/groups.ts";
import "../../en/imports.ts";
import { Box, Button, Paper, Skeleton, useMediaQuery } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import type { Group, User } from "@terrarium/contract";
import FileUp from "lucide-react/icons/file-up";
import FolderPlus from "lucide-react/icons/folder-plus";
import History from "lucide-react/icons/history";
import PencilLine from "lucide-react/icons/pencil-line";
import Trash2 from "lucide-react/icons/trash-2";
import UserPlus from "lucide-react/icons/user-plus";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate, useSearchParams } from "react-router";
import { Delayed } from "../../components/Delayed.tsx";
import { EmptyState } from "../../components/EmptyState.tsx";
import { ErrorState } from "../../components/ErrorState.tsx";
import { Icon } from "../../components/Icon.tsx";
import type { RowAction } from "../../components/list/list.ts";
import { RowMenu } from "../../components/list/RowMenu.tsx";
import { pathTo } from "../../components/tree/tree-rows.ts";
import { OpenDialog, useDialog } from "../../components/use-dialog.tsx";
import { useTypedSearch } from "../../components/use-typed-search.ts";
import { useMe } from "../../session/user.ts";
import { auditAddress } from "../../shared/audit-address.ts";
import { organizationOf } from "../../shared/organizations.queries.ts";
import { AdministrationHeader } from "../administration/AdministrationHeader.tsx";
import { ImportDialog } from "../imports/ImportDialog.tsx";
import { AddUsersDialog } from "./AddUsersDialog.tsx";
import { DeleteGroupDialog } from "./DeleteGroupDialog.tsx";
import { itemsOf } from "../../shared/group-items.ts";
import { groupsIn } from "./group-tree.ts";
import { groupTree } from "./groups.queries.ts";
import { GroupForm } from "./GroupForm.tsx";
import { GroupPane } from "./GroupPane.tsx";
import { GroupTree } from "./GroupTree.tsx";
import { MoveUsersDialog } from "./MoveUsersDialog.tsx";
import { RemoveUsersDialog } from "./RemoveUsersDialog.tsx";

type Asked =
  | { what: "create"; parent: string | null }
  | { what: "import" }
  | { what: "edit" | "delete" | "add"; group: Group }
  | { what: "remove"; group: Group; users: readonly User[] }
  | { what: "move"; group: Group; users: readonly User[]; target?: Group | undefined };

/** The groups of one's organization and who is in them. The address names the group that is shown, and what of the tree is sought. */
export default function GroupsPage() {
  const { t } = useTranslation();
  const me = useMe();
  const navigate = useNavigate();
  const [params, setParams] = useSearchParams();
  const isNarrow = useMediaQuery((theme) => theme.breakpoints.down("md"));
  const tree = useQuery(groupTree);
  const organization = useQuery(organizationOf(me));
  const { asked, ask, close } = useDialog<Asked>();
  const [menu, setMenu] = useState<{ group: Group; anchor: HTMLElement }>();
  const [held, hold] = useState<readonly User[]>([]);
  const sought = params.get("find")?.trim() ?? "";
  const addressOf = (group: string | undefined, find = sought) =>
    new URLSearchParams({ ...(group !== undefined && { group }), ...(find !== "" && { find }) });
  const { search, setSearch } = useTypedSearch(sought, (find) => {
    const next = new URLSearchParams(params);
    if (find === "") next.delete("find");
    else next.set("find", find);
    setParams(next, { replace: true, preventScrollReset: true });
  });

  const create = { label: t("groups.create"), run: () => ask({ what: "create", parent: null }) };
  const error = tree.data ? organization.data === undefined && organization.error : tree.error;
  if (error)
    return (
      <>
        <AdministrationHeader />
        <ErrorState
          title={t("errors.fetchGroups")}
          help={t("groups.failed")}
          error={error}
          onRetry={() => void Promise.all([tree.refetch(), organization.refetch()])}
        />
      </>
    );
  if (!tree.data || !organization.data)
    return (
      <>
        <AdministrationHeader />
        <Loading />
      </>
    );

  const items = itemsOf(tree.data);
  const groups = groupsIn(items);
  const find = (uuid: string | null | undefined) => groups.find((group) => group.uuid === uuid);
  /** A dialog shows the group as it is, not as it was when the dialog was opened. */
  const now = (group: Group) => find(group.uuid) ?? group;
  const named = params.get("group");
  const byDefault = isNarrow ? undefined : (groups.find((group) => group.is_default) ?? groups[0]);
  const group = named === null ? byDefault : find(named);
  const go = (uuid: string | undefined, { replace = false } = {}) =>
    // On a phone it is another page, which begins at its top.
    setParams(addressOf(uuid), { replace, preventScrollReset: !isNarrow });

  const actionsOf = (of: Group): RowAction[] => [
    {
      id: "subgroup",
      glyph: FolderPlus,
      label: t("groups.actions.subgroup"),
      short: t("groups.actions.subgroup"),
      run: () => ask({ what: "create", parent: of.uuid }),
    },
    {
      id: "edit",
      glyph: PencilLine,
      label: t("groups.actions.edit"),
      short: t("groups.actions.edit"),
      run: () => ask({ what: "edit", group: of }),
    },
    {
      id: "audit",
      glyph: History,
      label: t("groups.actions.audit"),
      short: t("groups.actions.audit"),
      run: () => void navigate(auditAddress({ subject: of.uuid })),
    },
    {
      id: "delete",
      glyph: Trash2,
      label: t("groups.actions.delete"),
      short: t("groups.actions.delete"),
      reason: of.is_default ? t("groups.actions.notDefault") : undefined,
      run: () => ask({ what: "delete", group: of }),
    },
  ];
  const addTo = (of: Group): RowAction => ({
    id: "add",
    glyph: UserPlus,
    label: t("groups.actions.addUsers"),
    short: t("groups.actions.addUsers"),
    run: () => ask({ what: "add", group: of }),
  });
  const isTreeShown = !isNarrow || named === null;

  return (
    <>
      <AdministrationHeader action={create}>
        <Button onClick={() => ask({ what: "import" })}>
          <Icon glyph={FileUp} />
          {t("imports.open")}
        </Button>
      </AdministrationHeader>
      {groups.length === 0 ? (
        <EmptyState title={t("groups.empty.title")} help={t("groups.empty.help")}>
          <Button onClick={create.run}>{create.label}</Button>
        </EmptyState>
      ) : (
        <Box sx={panes}>
          {isTreeShown && (
            <Paper variant="outlined" sx={treePane}>
              <GroupTree
                items={items}
                search={search}
                onSearch={setSearch}
                sought={sought}
                chosen={group?.uuid}
                onChoose={(uuid) => go(uuid)}
                menu={{
                  label: ({ name }) => t("groups.actions.more", { name }),
                  open: (uuid, anchor) => {
                    const of = find(uuid);
                    if (of) setMenu({ group: of, anchor });
                  },
                }}
                drop={{
                  accepts: (onto) => held.length > 0 && onto !== group?.uuid,
                  onDrop: (onto) => {
                    if (group) ask({ what: "move", group, users: held, target: find(onto) });
                  },
                }}
              />
            </Paper>
          )}
          {group ? (
            <GroupPane
              key={group.uuid}
              group={group}
              above={pathTo(items, group.uuid)
                .slice(0, -1)
                .map(({ data }) => data)}
              linkTo={(uuid) => `?${addressOf(uuid).toString()}`}
              actions={actionsOf(group)}
              onAdd={() => ask({ what: "add", group })}
              onMove={(users) => ask({ what: "move", group, users })}
              onRemove={(users) => ask({ what: "remove", group, users })}
              onHold={hold}
              isAlone={isNarrow}
              organization={organization.data.name}
            />
          ) : (
            named !== null && (
              <EmptyState title={t("groups.gone.title")} help={t("groups.gone.help")}>
                <Button component={Link} to={`?${addressOf(undefined).toString()}`}>
                  {t("groups.all")}
                </Button>
              </EmptyState>
            )
          )}
        </Box>
      )}
      {menu && (
        <RowMenu
          label={t("groups.actions.more", menu.group)}
          actions={[addTo(menu.group), ...actionsOf(menu.group)]}
          anchor={menu.anchor}
          onClose={() => setMenu(undefined)}
        />
      )}
      <OpenDialog
        asked={asked}
        dialogs={{
          create: ({ parent }) => (
            <GroupForm
              items={items}
              organizationAllocation={organization.data.quotas.group_allocation}
              parent={parent}
              onClose={close}
              onCreated={({ uuid }) => go(uuid)}
            />
          ),
          import: () => <ImportDialog group={(group ?? groups[0])?.name ?? t("groups.form.name")} onClose={close} />,
          edit: (of) => (
            <GroupForm
              items={items}
              organizationAllocation={organization.data.quotas.group_allocation}
              group={now(of.group)}
              onClose={close}
            />
          ),
          delete: (of) => (
            <DeleteGroupDialog
              group={now(of.group)}
              groups={groups}
              onClose={close}
              onDeleted={({ uuid, parent_uuid }) => {
                if (uuid === group?.uuid) go(parent_uuid ?? undefined, { replace: true });
              }}
            />
          ),
          add: (of) => <AddUsersDialog group={now(of.group)} onClose={close} />,
          remove: (of) => <RemoveUsersDialog group={now(of.group)} users={of.users} onClose={close} />,
          move: (of) => (
            <MoveUsersDialog group={now(of.group)} users={of.users} target={of.target} items={items} onClose={close} />
          ),
        }}
      />
    </>
  );
}

const Loading = () => (
  <Box aria-busy="true" sx={panes}>
    <Delayed>
      <Skeleton variant="rounded" animation={false} height={320} sx={{ borderRadius: "10px" }} />
      <Skeleton variant="rounded" animation={false} height={320} sx={{ borderRadius: "10px" }} />
    </Delayed>
  </Box>
);

const panes = {
  display: "grid",
  gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "minmax(0, 340px) minmax(0, 1fr)" },
  alignItems: "start",
  gap: 6,
  mt: 5,
} as const;
/** Stays in sight beside a long list of people, below the top bar. */
const treePane = {
  display: "flex",
  flexDirection: "column",
  gap: 2,
  p: 3,
  borderRadius: "10px",
  position: { md: "sticky" },
  top: { md: 72 },
  maxHeight: { md: "calc(100dvh - 88px)" },
} as const;
