import { Box, Button } from "@mui/material";
import type { Instance } from "@terrarium/contract";
import Plus from "lucide-react/icons/plus";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { useMe } from "../../session/user.ts";
import { DataTable } from "../../components/DataTable.tsx";
import { EmptyState } from "../../components/EmptyState.tsx";
import { ErrorState } from "../../components/ErrorState.tsx";
import { Icon } from "../../components/Icon.tsx";
import { columnsOf, minWidthOf } from "./columns.tsx";
import { shownColumns } from "./column-ids.ts";
import { DeviceCards } from "./DeviceCards.tsx";
import { useDropEnded } from "./use-drop-ended.ts";
import type { useDeviceList } from "./use-device-list.ts";
import type { OnAct } from "./words.ts";

interface Props {
  list: ReturnType<typeof useDeviceList>;
  isPhone: boolean;
  fresh: ReadonlySet<string>;
  selected: ReadonlySet<string>;
  onSelect: (selected: ReadonlySet<string>) => void;
  onAct: OnAct;
  onStart: () => void;
}

/** The devices, or what is to be said where there are none. */
export function DeviceList({ list, isPhone, fresh, selected, onSelect, onAct, onStart }: Props) {
  const { t } = useTranslation();
  const me = useMe();
  const navigate = useNavigate();
  const [isTouched, setTouched] = useState(false);
  useDropEnded(list.rows, isTouched, list.refresh);
  const ids = useMemo(() => shownColumns(list.settings.columns), [list.settings.columns]);
  const columns = useMemo(() => columnsOf(ids, { t, me, onAct }), [ids, t, me, onAct]);
  const instead = list.rows?.length === 0 && (list.isFetching && list.error === null ? <Waiting /> : nothing());

  function nothing() {
    if (list.error)
      return (
        <ErrorState
          title={t("launchpad.failed.title")}
          help={t("launchpad.failed.help")}
          error={list.error}
          onRetry={() => void list.refresh()}
        />
      );
    if (list.sought)
      return (
        <EmptyState
          title={t("launchpad.noMatch.title", { search: list.sought })}
          help={t(me.role === "manager" && !list.isWide ? "launchpad.noMatch.mine" : "launchpad.noMatch.all")}
        >
          <Button onClick={() => list.setSearch("")}>{t("launchpad.noMatch.clear")}</Button>
        </EmptyState>
      );
    return (
      <EmptyState title={t("launchpad.empty.title")} help={t("launchpad.empty.help")}>
        <Button onClick={onStart}>
          <Icon glyph={Plus} />
          {t("launchpad.start")}
        </Button>
      </EmptyState>
    );
  }

  return (
    <Box
      onPointerEnter={() => setTouched(true)}
      onPointerLeave={() => setTouched(false)}
      onFocus={() => setTouched(true)}
      onBlur={() => setTouched(false)}
    >
      {isPhone ? (
        instead || <DeviceCards instances={list.rows} onAct={onAct} />
      ) : (
        <DataTable<Instance>
          label={t("launchpad.table")}
          columns={columns}
          rows={list.rows}
          idOf={idOf}
          nameOf={({ name }) => name}
          sorting={list.sorting}
          onSort={(sorting) => {
            onSelect(new Set());
            list.setSorting(sorting);
          }}
          selected={selected}
          onSelect={onSelect}
          onOpen={({ uuid }) => void navigate(`/instance/${uuid}`)}
          isFresh={({ uuid }) => fresh.has(uuid)}
          minWidth={minWidthOf(ids)}
          pageSize={list.pageSize}
          instead={instead}
        />
      )}
    </Box>
  );
}

const idOf = ({ uuid }: Instance): string => uuid;

/** Keeps the place of the words while another answer is on its way. */
const Waiting = () => <Box aria-busy="true" sx={{ minHeight: 320 }} />;
