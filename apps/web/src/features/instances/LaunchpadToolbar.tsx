import { Box, Button } from "@mui/material";
import Columns3 from "lucide-react/icons/columns-3";
import RefreshCw from "lucide-react/icons/refresh-cw";
import type { RefObject } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "../../components/Icon.tsx";
import { SearchField } from "../../components/SearchField.tsx";
import { Segmented } from "../../components/Segmented.tsx";

interface Props {
  search: string;
  onSearch: (search: string) => void;
  searchRef: RefObject<HTMLInputElement | null>;
  isManager: boolean;
  isWide: boolean;
  onWide: (isWide: boolean) => void;
  newCount: number;
  isRefreshing: boolean;
  onRefresh: () => void;
  /** Not given where there are no columns. */
  onColumns?: (() => void) | undefined;
}

/** What is shown of the devices, and whether it is all of them. */
export function LaunchpadToolbar(props: Props) {
  const { t } = useTranslation();
  const { newCount } = props;
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 2, py: 3 }}>
      <SearchField
        label={t("launchpad.filter")}
        value={props.search}
        onChange={props.onSearch}
        inputRef={props.searchRef}
        sx={{ width: { xs: "100%", sm: 240 }, "& .MuiOutlinedInput-notchedOutline": { borderColor: "divider" } }}
      />
      {props.isManager && (
        <Segmented
          label={t("launchpad.whose")}
          value={props.isWide ? "organization" : "mine"}
          onChange={(whose) => props.onWide(whose === "organization")}
          choices={[
            { value: "mine", label: t("launchpad.mine") },
            { value: "organization", label: t("launchpad.organization") },
          ]}
        />
      )}
      <Box sx={{ flex: 1 }} />
      <Button variant={newCount > 0 ? "fresh" : "outlined"} onClick={props.onRefresh}>
        <Icon glyph={RefreshCw} spins={props.isRefreshing} />
        <span aria-live="polite">
          {newCount > 0 ? t("launchpad.newDevices", { count: newCount }) : t("launchpad.refresh")}
        </span>
      </Button>
      {props.onColumns && (
        <Button onClick={props.onColumns}>
          <Icon glyph={Columns3} />
          {t("launchpad.customize")}
        </Button>
      )}
    </Box>
  );
}
