import { Tooltip, Typography, useMediaQuery } from "@mui/material";
import { styled, type Theme } from "@mui/material/styles";
import { NavLink } from "react-router";
import { type Glyph, Icon } from "../components/Icon.tsx";

/** The name stays beside its picture where there is room; on a rail it is a tooltip. */
export const RAIL = "@media (min-width:600px) and (max-width:1023.95px)";

/** Left out on a rail. */
export const Words = styled(Typography)({ [RAIL]: { display: "none" } }) as typeof Typography;

interface Props {
  label: string;
  glyph: Glyph;
  /** A page of the app, shown as open also while a page below it is, unless `isExact`; a site elsewhere; or something to do. */
  target: { to: string; isExact?: boolean | undefined } | { href: string } | { act: () => void };
  onChoose?: (() => void) | undefined;
  /** For screen readers, if the words do not say enough. */
  name?: string | undefined;
  /** What stands at the end of the line. */
  end?: React.ReactNode;
}

/** A line of the navigation. */
export function NavEntry({ label, glyph, target, onChoose, name, end }: Props) {
  const isRail = useMediaQuery(RAIL.slice("@media ".length));
  const shared = { "aria-label": name ?? (isRail ? label : undefined), onClick: onChoose };
  const content = (
    <>
      <Icon glyph={glyph} />
      {/* The space is for those who read it as one text. */}
      <Words variant="label">{label}</Words>{" "}
      {end && (
        <Words variant="caption" component="span" sx={{ ml: "auto", color: "text.tertiary", display: "flex" }}>
          {end}
        </Words>
      )}
    </>
  );
  const isElsewhere = "href" in target && !target.href.startsWith("mailto:");
  return (
    <li>
      <Tooltip title={isRail ? label : ""} placement="right">
        {"to" in target ? (
          <PageLine to={target.to} end={target.isExact ?? false} {...shared}>
            {content}
          </PageLine>
        ) : "href" in target ? (
          <OuterLine href={target.href} {...(isElsewhere && { target: "_blank", rel: "noreferrer" })} {...shared}>
            {content}
          </OuterLine>
        ) : (
          <ActLine
            type="button"
            {...shared}
            onClick={() => {
              onChoose?.();
              target.act();
            }}
          >
            {content}
          </ActLine>
        )}
      </Tooltip>
    </li>
  );
}

const line = ({ theme }: { theme: Theme }) => ({
  display: "flex",
  alignItems: "center",
  gap: 10,
  width: "100%",
  height: 32,
  padding: "0 8px",
  border: 0,
  borderRadius: 6,
  font: "inherit",
  background: "none",
  cursor: "pointer",
  textDecoration: "none",
  color: theme.vars.palette.text.secondary,
  [RAIL]: { width: 36, height: 36, padding: 0, justifyContent: "center" },
  [theme.breakpoints.down("sm")]: { height: 44 },
  "&:hover": { background: theme.vars.palette.action.hover },
  "&.active": {
    color: theme.vars.palette.text.primary,
    background: theme.vars.palette.background.paper,
    boxShadow: `0 0 0 1px ${theme.vars.palette.divider}, var(--depth-1)`,
    "[data-theme=dark] &": { background: theme.vars.palette.background.raised },
    "& svg": { color: theme.vars.palette.primary.main },
  },
});
const PageLine = styled(NavLink)(line);
const OuterLine = styled("a")(line);
const ActLine = styled("button")(line);
