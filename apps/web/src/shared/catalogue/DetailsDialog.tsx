import { Typography } from "@mui/material";
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import { AppDialog } from "../../components/AppDialog.tsx";
import { FactList } from "../../components/FactList.tsx";
import { Stage } from "../Stage.tsx";

interface Props {
  title: string;
  /** On a stage of 440 by 180 pixels. */
  picture?: React.ReactNode;
  description?: string;
  /** A term and what is known about it, in this order. */
  facts: readonly (readonly [term: string, value: React.ReactNode])[];
  actions?: React.ReactNode;
  onClose: () => void;
  children?: React.ReactNode;
}

/** All that is known about one thing of a catalogue. */
export function DetailsDialog({ title, picture, description, facts, actions, onClose, children }: Props) {
  const { t } = useTranslation();
  return (
    <AppDialog title={title} onClose={onClose} dismiss={t("common.close")} actions={actions} width={480}>
      {picture && <Stage sx={stage}>{picture}</Stage>}
      {children}
      {description && (
        <Typography color="textSecondary" sx={{ mb: 4, overflowWrap: "anywhere" }}>
          {description}
        </Typography>
      )}
      <FactList>
        {facts.map(([term, value]) => (
          <Fragment key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
      </FactList>
    </AppDialog>
  );
}

const stage = {
  height: 196,
  placeItems: "center",
  mb: 4,
  borderRadius: "10px",
  boxShadow: "inset 0 0 0 1px var(--mui-palette-divider)",
};
