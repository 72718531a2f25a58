import { Box, Typography } from "@mui/material";
import { useTranslation } from "react-i18next";
import { Icon } from "../../components/Icon.tsx";
import type { Command } from "./command.ts";

interface Props {
  id: string;
  /** Those of a group stand together. */
  commands: readonly Command[];
  /** Which one is chosen. */
  at: number;
  onPoint: (index: number) => void;
  onRun: (command: Command) => void;
}

/** The list of the palette, by groups. The focus stays in the field, which names the chosen option. */
export function Options({ id, commands, at, onPoint, onRun }: Props) {
  const { t } = useTranslation();
  const indexed = commands.map((command, index) => ({ command, index }));
  const shown = Map.groupBy(indexed, ({ command }) => command.group);
  return (
    <Box id={id} role="listbox" aria-label={t("palette.results")} sx={{ overflowY: "auto", p: 2, pt: 0 }}>
      {[...shown].map(([group, options]) => (
        <Box key={group} role="group" aria-labelledby={`${id}-${group}`}>
          <Typography
            id={`${id}-${group}`}
            variant="overline"
            component="div"
            sx={{ px: 2, pt: 2, color: "text.tertiary" }}
          >
            {t(`palette.groups.${group}`)}
          </Typography>
          {options.map(({ command, index }) => (
            <Box
              key={command.id}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === at}
              ref={index === at ? scrollIntoSight : undefined}
              sx={option}
              onMouseMove={() => index !== at && onPoint(index)}
              // The focus stays in the field.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onRun(command)}
            >
              <Icon glyph={command.glyph} />
              <Box
                component="span"
                sx={{ overflow: "hidden", textOverflow: "ellipsis", flex: "0 1 auto" }}
                title={command.title}
              >
                {command.title}
              </Box>
              {command.detail && (
                <Typography
                  variant="caption"
                  component="span"
                  noWrap
                  color="textSecondary"
                  sx={{ ml: "auto", maxWidth: "50%" }}
                >
                  {command.detail}
                </Typography>
              )}
            </Box>
          ))}
        </Box>
      ))}
    </Box>
  );
}

const scrollIntoSight = (element: HTMLElement | null) => element?.scrollIntoView({ block: "nearest" });

const option = {
  display: "flex",
  alignItems: "center",
  gap: 2.5,
  minHeight: { xs: 44, sm: 36 },
  px: 2,
  borderRadius: 1,
  cursor: "pointer",
  whiteSpace: "nowrap",
  color: "text.primary",
  "& svg": { flex: "none", color: "text.secondary" },
  "&[aria-selected=true]": { background: "var(--mui-palette-action-selected)" },
  "@media (forced-colors: active)": { "&[aria-selected=true]": { outline: "2px solid Highlight", outlineOffset: -2 } },
} as const;
