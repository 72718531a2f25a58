import "../../en/list.ts";
import { Box, MenuItem, Select } from "@mui/material";
import ChevronLeft from "lucide-react/icons/chevron-left";
import ChevronRight from "lucide-react/icons/chevron-right";
import { useTranslation } from "react-i18next";
import { ToolButton } from "../ToolButton.tsx";

interface Props {
  /** Counts from 1. */
  page: number;
  pageSize: number;
  /** The rows of all pages. */
  count: number;
  onPage: (page: number) => void;
  /** The choice of a page's size, if there is one. */
  sizes?: { choices: readonly number[]; onChoose: (size: number) => void } | undefined;
}

/** Where one is in a list, and the ways on. */
export function Pager({ page, pageSize, count, onPage, sizes }: Props) {
  const { t } = useTranslation();
  const format = new Intl.NumberFormat("en");
  return (
    <PagerRow
      pageSize={pageSize}
      sizes={sizes}
      where={t("common.table.range", {
        from: format.format((page - 1) * pageSize + 1),
        to: format.format(Math.min(page * pageSize, count)),
        total: format.format(count),
      })}
      onPrevious={page <= 1 ? undefined : () => onPage(page - 1)}
      onNext={page * pageSize >= count ? undefined : () => onPage(page + 1)}
    />
  );
}

interface RowProps extends Pick<Props, "pageSize" | "sizes"> {
  where: string;
  /** Undefined where there is no such page. */
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
}

/** The same for pages that have no numbers. */
export function PagerRow({ where, pageSize, sizes, onPrevious, onNext }: RowProps) {
  const { t } = useTranslation();
  return (
    <Box
      sx={{
        display: "flex",
        alignItems: "center",
        gap: 3,
        minHeight: 48,
        typography: "body2",
        color: "text.secondary",
      }}
    >
      <span>{where}</span>
      <Box sx={{ flex: 1 }} />
      {sizes && sizes.choices.length > 1 && (
        <Box component="label" sx={{ display: "flex", alignItems: "center", gap: 2 }}>
          {t("common.table.rows")}
          <Select
            size="small"
            value={pageSize}
            onChange={(event) => sizes.onChoose(event.target.value)}
            sx={{ height: 28, "& .MuiOutlinedInput-notchedOutline": { borderColor: "divider" } }}
            inputProps={{ "aria-label": t("common.table.rows") }}
          >
            {sizes.choices.map((size) => (
              <MenuItem key={size} value={size}>
                {size}
              </MenuItem>
            ))}
          </Select>
        </Box>
      )}
      <Box sx={{ display: "flex" }}>
        <ToolButton label={t("common.table.previous")} glyph={ChevronLeft} isOff={!onPrevious} onClick={onPrevious} />
        <ToolButton label={t("common.table.next")} glyph={ChevronRight} isOff={!onNext} onClick={onNext} />
      </Box>
    </Box>
  );
}
