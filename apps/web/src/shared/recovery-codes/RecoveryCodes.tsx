import { Box, Button, Typography } from "@mui/material";
import Check from "lucide-react/icons/check";
import Copy from "lucide-react/icons/copy";
import Download from "lucide-react/icons/download";
import { useTranslation } from "react-i18next";
import { Icon } from "../../components/Icon.tsx";
import { saveFile } from "../../components/save-file.ts";
import { useCopy } from "../../components/use-copy.ts";

interface Props {
  codes: readonly string[];
  /** The address of the account that they are for. */
  email: string;
}

/** New recovery codes, shown once, and the ways to save them. */
export function RecoveryCodes({ codes, email }: Props) {
  const { t } = useTranslation();
  const { isCopied, copy } = useCopy();
  const download = () => {
    const lines = [t("secondFactor.keep.file", { email, host: location.host }), "", ...codes, ""];
    saveFile(new Blob([lines.join("\n")], { type: "text/plain" }), "terrarium-recovery-codes.txt");
  };
  return (
    <>
      <Typography color="textSecondary">{t("secondFactor.keep.help")}</Typography>
      <Box component="ul" aria-label={t("secondFactor.keep.list")} sx={list}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </Box>
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 3 }}>
        <Button variant="outlined" onClick={() => copy(codes.join("\n"))}>
          <Icon glyph={isCopied ? Check : Copy} />
          <span aria-live="polite">{t(isCopied ? "common.copied" : "secondFactor.keep.copy")}</span>
        </Button>
        <Button variant="outlined" onClick={download}>
          <Icon glyph={Download} />
          {t("secondFactor.keep.download")}
        </Button>
      </Box>
    </>
  );
}

const list = {
  typography: "mono",
  m: 0,
  p: 4,
  listStyle: "none",
  display: "grid",
  gridTemplateColumns: "repeat(auto-fill, minmax(180px, 1fr))",
  gap: 2,
  border: "1px solid var(--mui-palette-divider)",
  borderRadius: "10px",
} as const;
