import { Box } from "@mui/material";
import type { DisplaySession } from "@terrarium/sdk/display";
import MousePointer2 from "lucide-react/icons/mouse-pointer-2";
import { usePreference } from "../../components/use-preference.ts";
import { Icon } from "../../components/Icon.tsx";
import { showPointers } from "../../shared/show-pointers.ts";
import { useDisplayStatus } from "./use-display-status.ts";

/** Somebody who takes part; their place in the list gives their pointer its colour. */
export interface RoomPerson {
  uuid: string;
  name: string;
}

/** Dark enough for the white of the names on them; each with a white edge, so that they show on any picture. */
const colours = ["#0E6B4C", "#1F5FA8", "#A3330F", "#6B3FA0", "#8A5A00"] as const;

interface Props {
  session: Pick<DisplaySession, "subscribe" | "status">;
  people: readonly RoomPerson[];
}

/** Where the others' pointers are on the picture. What one does there passes through. */
export function Pointers({ session, people }: Props) {
  const pointers = useDisplayStatus(session, "pointers");
  const [isOn] = usePreference(showPointers);
  return (
    <Box aria-hidden="true" sx={layer}>
      {isOn &&
        pointers?.map(({ viewer, user, x, y }) => {
          const index = people.findIndex(({ uuid }) => uuid === user);
          const isAtEnd = x > 0.6;
          return index < 0 ? null : (
            <Box
              key={viewer}
              data-testid="pointer"
              sx={pointer}
              style={{ left: `${x * 100}%`, top: `${y * 100}%`, ["--tone" as never]: colours[index % colours.length] }}
            >
              <Icon glyph={MousePointer2} size={18} />
              <Box component="span" sx={label} style={isAtEnd ? { right: 4 } : { left: 14 }}>
                {people[index]?.name}
              </Box>
            </Box>
          );
        })}
    </Box>
  );
}

const layer = { position: "absolute", inset: 0, overflow: "hidden", pointerEvents: "none" };

const pointer = {
  position: "absolute",
  width: 0,
  height: 0,
  transition: "left 60ms linear, top 60ms linear",
  "@media (prefers-reduced-motion: reduce)": { transition: "none" },
  "& svg": { display: "block", margin: "-3px", fill: "var(--tone)", stroke: "#fff" },
};

const label = {
  position: "absolute",
  top: 14,
  maxWidth: 140,
  overflow: "hidden",
  textOverflow: "ellipsis",
  whiteSpace: "nowrap",
  padding: "1px 6px",
  borderRadius: "4px",
  fontSize: 12,
  lineHeight: "16px",
  fontWeight: 550,
  background: "var(--tone)",
  color: "#fff",
  boxShadow: "0 0 0 1px #fff",
};
