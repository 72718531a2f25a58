import { Box, Button, Link, Typography } from "@mui/material";
import type { Group, User } from "@terrarium/contract";
import ListChecks from "lucide-react/icons/list-checks";
import UserPlus from "lucide-react/icons/user-plus";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link as RouterLink } from "react-router";
import { BackLink } from "../../components/links.tsx";
import { EmptyState } from "../../components/EmptyState.tsx";
import { Icon } from "../../components/Icon.tsx";
import type { RowAction } from "../../components/list/list.ts";
import { ListView } from "../../components/list/ListView.tsx";
import { RowActions } from "../../components/list/RowActions.tsx";
import { useList } from "../../components/list/use-list.ts";
import { Tag } from "../../components/Tag.tsx";
import { UsageMeter } from "../../components/UsageMeter.tsx";
import { bulkGroupUserList, groupUserList } from "./group-user-list.tsx";

interface Props {
  group: Group;
  /** The groups above it, from the top. */
  above: readonly Group[];
  linkTo: (uuid: string | undefined) => string;
  /** What can be done with the group. */
  actions: readonly RowAction[];
  onAdd: () => void;
  onMove: (users: readonly User[]) => void;
  onRemove: (users: readonly User[]) => void;
  /** People are being dragged, or no longer. */
  onHold: (users: readonly User[]) => void;
  /** There is room for it or for the tree; a link leads back to that. */
  isAlone: boolean;
  /** It cannot be said whose pool is used before the organization is known. */
  organization: string;
}

/** A group: what it is, what can be done with it, and who is in it. */
export function GroupPane(props: Props) {
  const { group, above, linkTo, actions, onAdd, onMove, onRemove, onHold, isAlone, organization } = props;
  const { t } = useTranslation();
  const id = useId();
  const [isBulk, setBulk] = useState(false);
  const list = useList(isBulk ? bulkGroupUserList : groupUserList, {
    t,
    group,
    move: onMove,
    remove: onRemove,
    pickUp: (user: User) => {
      const selected = list.rows?.filter(({ uuid }) => list.selected.has(uuid)) ?? [];
      onHold(selected.includes(user) ? selected : [user]);
    },
    putDown: () => onHold([]),
  });
  const { group_allocation: max } = group.quotas;
  const used = group.running_instances;
  const pool = above.findLast(({ quotas }) => quotas.group_allocation !== null)?.name ?? organization;
  const add = (
    <Button onClick={onAdd}>
      <Icon glyph={UserPlus} />
      {t("groups.actions.addUsers")}
    </Button>
  );
  return (
    <Box component="section" aria-labelledby={id} sx={{ minWidth: 0 }}>
      {isAlone && (
        <BackLink to={linkTo(undefined)} mb={2}>
          {t("groups.all")}
        </BackLink>
      )}
      {above.length > 0 && (
        <Typography
          component="nav"
          aria-label={t("groups.path")}
          variant="caption"
          sx={{ color: "text.tertiary", display: "block" }}
        >
          {above.map(({ uuid, name }) => (
            <span key={uuid}>
              <Link component={RouterLink} to={linkTo(uuid)} color="inherit">
                {name}
              </Link>
              {" / "}
            </span>
          ))}
        </Typography>
      )}
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 2, minHeight: 32 }}>
        <Box sx={{ flex: "1 1 200px", minWidth: 0, display: "flex", alignItems: "center", gap: 2 }}>
          <Typography variant="h2" id={id} sx={{ overflowWrap: "anywhere" }}>
            {group.name}
          </Typography>
          {group.is_default && <Tag>{t("groups.isDefault")}</Tag>}
        </Box>
        <RowActions actions={actions} />
        {!isAlone && group.user_count > 0 && (
          <Button
            aria-pressed={isBulk}
            variant={isBulk ? "fresh" : "outlined"}
            onClick={() => {
              list.select(new Set());
              setBulk(!isBulk);
            }}
          >
            <Icon glyph={ListChecks} />
            {t("groups.actions.bulk")}
          </Button>
        )}
        {add}
      </Box>
      {group.description !== "" && (
        <Typography variant="body2" color="textSecondary" sx={{ mt: 1, maxWidth: "72ch", overflowWrap: "anywhere" }}>
          {group.description}
        </Typography>
      )}
      <Box sx={{ mt: 2 }}>
        <UsageMeter
          used={used}
          max={max ?? 0}
          label={
            max === null
              ? t("groups.poolUse", { count: used, name: pool })
              : t("groups.useInWords", { used, count: max })
          }
        />
      </Box>
      <ListView
        state={list}
        empty={
          <EmptyState title={t("groups.users.empty.title")} help={t("groups.users.empty.help")}>
            {add}
          </EmptyState>
        }
      />
    </Box>
  );
}
