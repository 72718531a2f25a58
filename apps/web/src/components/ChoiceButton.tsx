import { ButtonBase, Typography } from "@mui/material";
import type { Theme } from "@mui/material/styles";
import { useId } from "react";

interface Props {
  title: string;
  help: string;
  /** Why it cannot be chosen now; stands in place of the help. */
  reason?: string | undefined;
  onClick: () => void;
}

/** One of a few ways to go on, with a sentence on where it leads. */
export function ChoiceButton({ title, help, reason, onClick }: Props) {
  const id = useId();
  const isOff = reason !== undefined;
  return (
    <ButtonBase
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-help`}
      aria-disabled={isOff || undefined}
      onClick={() => {
        if (!isOff) onClick();
      }}
      sx={card}
    >
      <Typography
        id={`${id}-title`}
        component="span"
        sx={{ fontWeight: 550, color: isOff ? "text.tertiary" : "text.primary", overflowWrap: "anywhere" }}
      >
        {title}
      </Typography>
      <Typography id={`${id}-help`} component="span" variant="body2" color="textSecondary">
        {reason ?? help}
      </Typography>
    </ButtonBase>
  );
}

const card = (theme: Theme) => ({
  display: "grid",
  justifyItems: "start",
  justifyContent: "start",
  gap: 1,
  width: "100%",
  p: 4,
  textAlign: "left",
  borderRadius: "10px",
  boxShadow: `inset 0 0 0 1px ${theme.vars.palette.divider}`,
  transition: "box-shadow 120ms",
  "&:not([aria-disabled]):hover": { boxShadow: `inset 0 0 0 1px ${theme.vars.palette.primary.main}` },
  "&[aria-disabled]": { cursor: "default" },
  "@media (forced-colors: active)": { border: "1px solid" },
});
