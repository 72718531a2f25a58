import { Box, ButtonBase, Typography } from "@mui/material";
import type { StoredMail } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { RelativeTime } from "../../components/RelativeTime.tsx";

/** The mails, the newest first. */
export function MailList({ mails, chosen }: { mails: readonly StoredMail[]; chosen: string | undefined }) {
  const { t } = useTranslation();
  return (
    <Box component="nav" aria-label={t("mailbox.list")}>
      {mails.map(({ uuid, to, subject, created_at }) => (
        <ButtonBase
          key={uuid}
          component={Link}
          to={`/mailbox/${uuid}`}
          aria-current={uuid === chosen ? "page" : undefined}
          sx={row}
        >
          <Typography variant="label" component="div" sx={{ color: "text.primary", overflowWrap: "anywhere" }}>
            {subject}
          </Typography>
          <Typography variant="caption" component="div" sx={{ display: "flex", gap: 2, color: "text.tertiary" }}>
            <Box component="span" sx={{ flex: 1, minWidth: 0, overflow: "hidden", textOverflow: "ellipsis" }}>
              {t("mailbox.to", { address: to })}
            </Box>
            <Box component="span" sx={{ whiteSpace: "nowrap" }}>
              <RelativeTime time={created_at} />
            </Box>
          </Typography>
        </ButtonBase>
      ))}
    </Box>
  );
}

const row = {
  width: "100%",
  display: "block",
  px: 4,
  py: 2.5,
  font: "inherit",
  textAlign: "left",
  "& + &": { borderTop: "1px solid var(--mui-palette-divider)" },
  "&:hover, &[aria-current]": { bgcolor: "action.hover" },
  "&.Mui-focusVisible": { outlineOffset: "-2px" },
} as const;
