import { Box, Button, Table, TableBody, TableCell, TableContainer, TableHead, TableRow } from "@mui/material";
import type { Use } from "@terrarium/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Card } from "./Card.tsx";
import { sayUse } from "./say-use.ts";

/** Somebody or something with what was used. */
export interface UseItem extends Use {
  key: string;
  name: string;
  /** Said beside the name. */
  note?: string | undefined;
}

interface Props {
  by: "person" | "group" | "recipe";
  items: readonly UseItem[];
  others: (Use & { count: number }) | null;
}

/** Shown until somebody asks for all. */
const FIRST = 8;

/** Who or what has used most: a chart of bars that is a table. */
export function UseBy({ by, items, others }: Props) {
  const { t } = useTranslation();
  const [isWhole, setWhole] = useState(false);
  const title = t(`dashboard.by.${by}`);
  const most = Math.max(1, ...items.map(({ seconds }) => seconds));
  const shown = isWhole ? items : items.slice(0, FIRST);
  const rest: UseItem[] =
    others && (isWhole || items.length <= FIRST)
      ? [{ ...others, key: "others", name: t("dashboard.others", { count: others.count }) }]
      : [];
  return (
    <Card title={title} caption={by === "group" ? t("dashboard.groupsHelp") : undefined}>
      <TableContainer sx={{ mt: 2 }}>
        <Table size="small" aria-label={title} sx={{ tableLayout: "fixed", "tr:last-of-type th": { borderBottom: 0 } }}>
          <TableHead>
            <TableRow>
              <TableCell sx={{ pl: 0 }}>{t(`dashboard.columns.${by}`)}</TableCell>
              <TableCell align="right" sx={{ width: 132 }}>
                {t("dashboard.columns.time")}
              </TableCell>
              <TableCell align="right" sx={{ width: 64, pr: 0 }}>
                {t("dashboard.columns.starts")}
              </TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {[...shown, ...rest].map(({ key, name, note, seconds, starts }) => (
              <TableRow key={key}>
                <TableCell component="th" scope="row" title={name} sx={{ pl: 0 }}>
                  <Box component="span" sx={{ color: "text.primary" }}>
                    {name}
                  </Box>
                  {note && <Box component="span" sx={{ color: "text.tertiary" }}>{` · ${note}`}</Box>}
                  <Box
                    aria-hidden="true"
                    sx={(theme) => ({
                      height: 4,
                      mt: 1,
                      borderRadius: "2px",
                      minWidth: seconds > 0 ? 2 : 0,
                      width: `${(Math.min(seconds, most) / most) * 100}%`,
                      background: key === "others" ? theme.vars.palette.divider : theme.vars.palette.chart.soft,
                      forcedColorAdjust: "none",
                    })}
                  />
                </TableCell>
                <TableCell align="right">{sayUse(seconds, t)}</TableCell>
                <TableCell align="right" sx={{ pr: 0 }}>
                  {starts}
                </TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </TableContainer>
      {items.length > FIRST && (
        <Button variant="text" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)} sx={{ mt: 2, ml: -3 }}>
          {t(isWhole ? "dashboard.less" : others ? "dashboard.most" : "dashboard.all", { count: items.length })}
        </Button>
      )}
    </Card>
  );
}
