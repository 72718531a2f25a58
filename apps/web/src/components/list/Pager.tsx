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
  count: number;
  onPage: (page: number) => void;
  /** Offered only where there is a choice. */
  pageSizes?: readonly number[];
  onPageSize?: (size: number) => void;
}

/** The last page that has rows; 1 when there are none. */
export const lastPage = (count: number, pageSize: number): number => Math.max(1, Math.ceil(count / pageSize));

/** Where one is in a list, and the ways on. */
export function Pager({ page, pageSize, count, onPage, pageSizes, onPageSize }: Props) {
  const { t } = useTranslation();
  const last = lastPage(count, pageSize);
  const from = count === 0 ? 0 : (page - 1) * pageSize + 1;
  const format = new Intl.NumberFormat("en");
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
      <span>
        {t("common.table.range", {
          from: format.format(from),
          to: format.format(Math.min(page * pageSize, count)),
          total: format.format(count),
        })}
      </span>
      <Box sx={{ flex: 1 }} />
      {pageSizes && pageSizes.length > 1 && onPageSize && (
        <Box component="label" sx={{ display: "flex", alignItems: "center", gap: 2 }}>
          {t("common.table.rows")}
          <Select
            size="small"
            value={pageSize}
            onChange={(event) => onPageSize(event.target.value)}
            sx={{ height: 28, "& .MuiOutlinedInput-notchedOutline": { borderColor: "divider" } }}
            inputProps={{ "aria-label": t("common.table.rows") }}
          >
            {pageSizes.map((size) => (
              <MenuItem key={size} value={size}>
                {size}
              </MenuItem>
            ))}
          </Select>
        </Box>
      )}
      <Box sx={{ display: "flex" }}>
        <ToolButton
          label={t("common.table.previous")}
          glyph={ChevronLeft}
          isOff={page <= 1}
          onClick={() => onPage(page - 1)}
        />
        <ToolButton
          label={t("common.table.next")}
          glyph={ChevronRight}
          isOff={page >= last}
          onClick={() => onPage(page + 1)}
        />
      </Box>
    </Box>
  );
}
