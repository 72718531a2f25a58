import { Box } from "@mui/material";
import { styled } from "@mui/material/styles";
import type { Group } from "@terrarium/contract";
import MonitorSmartphone from "lucide-react/icons/monitor-smartphone";
import Users from "lucide-react/icons/users";
import { useTranslation } from "react-i18next";
import { visuallyHidden } from "../../components/hidden.ts";
import { type Glyph, Icon } from "../../components/Icon.tsx";
import { Tag } from "../../components/Tag.tsx";

/** What the tree says of a group: whether it is the default one, how many are in it, and how much of its quota is used. */
export function GroupFacts({ group }: { group: Group }) {
  const { t } = useTranslation();
  const { group_allocation: max } = group.quotas;
  const used = group.running_instances;
  return (
    <>
      {group.is_default && (
        <Tag>
          <Said drawn={t("groups.isDefault")} words={t("groups.isDefault")} />
        </Tag>
      )}
      <Box component="span" sx={facts}>
        {max !== null && (
          <Fact
            glyph={MonitorSmartphone}
            figure={t("groups.use", { used, max })}
            words={t("groups.useInWords", { used, count: max })}
          />
        )}
        <Fact
          glyph={Users}
          figure={group.user_count.toLocaleString("en")}
          words={t("groups.count", { count: group.user_count })}
        />
      </Box>
    </>
  );
}

const Fact = ({ glyph, figure, words }: { glyph: Glyph; figure: string; words: string }) => (
  <span title={words} style={{ display: "inline-flex", alignItems: "center", gap: 4 }}>
    <Icon glyph={glyph} size={14} />
    <Said drawn={figure} words={words} />
  </span>
);

/** What is seen is drawn rather than written: as text it would be part of the row's name, beside its words. */
const Said = ({ drawn, words }: { drawn: string; words: string }) => (
  <>
    <Drawn data-text={drawn} aria-hidden="true" />
    <span style={visuallyHidden}>{`${words} `}</span>
  </>
);
const Drawn = styled("span")({ "&::before": { content: "attr(data-text)" } });

const facts = {
  display: "inline-flex",
  flex: "none",
  gap: 3,
  ml: "auto",
  typography: "caption",
  color: "text.tertiary",
} as const;
