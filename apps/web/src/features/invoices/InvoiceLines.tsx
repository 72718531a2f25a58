import {
  Box,
  Paper,
  Table,
  TableBody,
  TableCell,
  TableContainer,
  TableHead,
  TableRow,
  Typography,
  useMediaQuery,
} from "@mui/material";
import { type InvoiceDetail, type InvoiceLine, limits } from "@terrarium/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { FactList } from "../../components/FactList.tsx";
import { Pager } from "../../components/list/Pager.tsx";
import { money } from "../../components/money.ts";
import { durationWords, utcTime } from "./line-words.ts";

const PAGE_SIZE = 60;

/** What an invoice charges for. */
export function InvoiceLines({ invoice }: { invoice: InvoiceDetail }) {
  const { t } = useTranslation();
  const isPhone = useMediaQuery((theme) => theme.breakpoints.down("sm"));
  const [page, setPage] = useState(1);
  const { lines, line_count: count, currency, plan, refunds } = invoice;
  const isMetered = plan.usage_type === "metered" && refunds === null;
  const columns: [name: string, cell: (line: InvoiceLine) => string, align?: "right"][] = [
    [t(isMetered ? "invoices.lines.recipe" : "invoices.lines.description"), ({ recipe }) => recipe],
    [t("invoices.lines.start"), ({ started_at }) => utcTime(started_at)],
    [t("invoices.lines.end"), ({ ended_at }) => utcTime(ended_at)],
    [t("invoices.lines.duration"), ({ duration }) => durationWords(duration), "right"],
    [
      t(isMetered ? "invoices.lines.minutes" : "invoices.lines.quantity"),
      ({ quantity }) => quantity.toLocaleString("en"),
      "right",
    ],
    [t("invoices.lines.price"), ({ price }) => money(price, currency), "right"],
    [t("invoices.lines.amount"), ({ amount }) => money(amount, currency), "right"],
  ];
  const shown = lines.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  return (
    <Box component="section" aria-labelledby="lines" sx={{ mt: 6 }}>
      <Typography variant="h2" id="lines" sx={{ mb: 3 }}>
        {t("invoices.lines.title")}
      </Typography>
      {count > limits.invoiceLinesShown && (
        <Typography color="textSecondary" sx={{ mb: 3 }}>
          {t("invoices.lines.more", { count })}
        </Typography>
      )}
      {lines.length === 0 && <Typography color="textSecondary">{t("invoices.lines.none")}</Typography>}
      {lines.length > 0 && isPhone && (
        <Box component="ul" aria-labelledby="lines" sx={{ m: 0, p: 0, listStyle: "none", display: "grid", gap: 2 }}>
          {shown.map((line, index) => (
            <Paper key={index} component="li" variant="outlined" sx={{ p: 3, borderRadius: "10px" }}>
              <Typography sx={{ fontWeight: 550, mb: 2, overflowWrap: "anywhere" }}>{line.recipe}</Typography>
              <FactList>
                {columns
                  .slice(1)
                  .map(([name, cell]) => [<dt key={name}>{name}</dt>, <dd key={`${name} value`}>{cell(line)}</dd>])}
              </FactList>
            </Paper>
          ))}
        </Box>
      )}
      {lines.length > 0 && !isPhone && (
        <TableContainer component={Paper} variant="outlined" sx={{ borderRadius: "10px" }}>
          <Table size="small" aria-labelledby="lines">
            <TableHead>
              <TableRow>
                {columns.map(([name, , align]) => (
                  <TableCell key={name} align={align ?? "left"} sx={{ whiteSpace: "nowrap" }}>
                    {name}
                  </TableCell>
                ))}
              </TableRow>
            </TableHead>
            <TableBody>
              {shown.map((line, index) => (
                <TableRow key={index}>
                  {columns.map(([name, cell, align], place) => (
                    <TableCell key={name} align={align ?? "left"} sx={place === 0 ? recipe : { whiteSpace: "nowrap" }}>
                      {cell(line)}
                    </TableCell>
                  ))}
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </TableContainer>
      )}
      {lines.length > PAGE_SIZE && <Pager page={page} pageSize={PAGE_SIZE} count={lines.length} onPage={setPage} />}
    </Box>
  );
}

const recipe = { fontWeight: 550, color: "text.primary", minWidth: 160, overflowWrap: "anywhere" };
