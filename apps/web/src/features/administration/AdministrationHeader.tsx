import { Box } from "@mui/material";
import { styled } from "@mui/material/styles";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { NavLink } from "react-router";
import { PageHeader } from "../../components/PageHeader.tsx";
import { type RouteRules, routeRules } from "../../session/routes.ts";
import { type Section, sections } from "./sections.ts";

type Props = Omit<Parameters<typeof PageHeader>[0], "title">;

/** The top of every page of the administration: its title, what the page is there to do, and the ways to the other pages. */
export function AdministrationHeader(props: Props) {
  const { t } = useTranslation();
  const list = useRef<HTMLUListElement>(null);
  // Where there is no room for all of them, the one that is open must not be out of sight.
  useEffect(() => {
    list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, []);
  return (
    <>
      <PageHeader {...props} title={t("common.navigation.administration")} />
      <Box component="nav" aria-label={t("common.navigation.administration")} sx={{ flex: "none" }}>
        <Row ref={list}>
          {sections.filter(isThere).map((section) => (
            <li key={section}>
              <SectionLink to={routeRules[section].path}>{t(`common.titles.${section}`)}</SectionLink>
            </li>
          ))}
        </Row>
      </Box>
    </>
  );
}

const isThere = (section: Section): boolean => !(routeRules[section] as RouteRules).isDisabled;

const Row = styled("ul")(({ theme }) => ({
  display: "flex",
  gap: 20,
  margin: "12px 0 0",
  padding: 0,
  listStyle: "none",
  overflowX: "auto",
  scrollbarWidth: "none",
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
  [theme.breakpoints.down("sm")]: { marginTop: 4 },
}));

const SectionLink = styled(NavLink)(({ theme }) => ({
  ...theme.typography.label,
  display: "flex",
  alignItems: "center",
  minHeight: 40,
  padding: "0 2px",
  whiteSpace: "nowrap",
  textDecoration: "none",
  color: theme.vars.palette.text.secondary,
  borderBottom: "2px solid transparent",
  [theme.breakpoints.down("sm")]: { minHeight: 44, minWidth: 44, justifyContent: "center" },
  "&:hover": { color: theme.vars.palette.text.primary },
  "&[aria-current]": { color: theme.vars.palette.text.primary, borderColor: theme.vars.palette.primary.main },
  // The row cuts off what lies outside of it.
  "&:focus-visible": { outlineOffset: -2 },
}));
