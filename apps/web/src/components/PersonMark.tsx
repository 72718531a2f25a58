import { Box } from "@mui/material";
import { useAvatar } from "./avatars.ts";

interface Person {
  email: string;
  first_name: string;
  last_name: string;
}

/** What a person is called: their name, or their address when they gave none. */
export const nameOf = ({ first_name, last_name, email }: Person): string =>
  `${first_name} ${last_name}`.trim() || email;

const firstOf = (name: string): string => Array.from(name.trim())[0] ?? "";

const initialsOf = ({ first_name, last_name, email }: Person): string =>
  (`${firstOf(first_name)}${firstOf(last_name)}` || email.slice(0, 2)).toUpperCase();

/** Pairs that read on each other in light and in dark. Who gets which comes from the address, so it stays. */
const tones = [
  { light: ["#D6EEE3", "#0B5940"], dark: ["#1A3D30", "#8FDDBB"] },
  { light: ["#D8E7F7", "#1A4F8C"], dark: ["#1B324C", "#A9CCF5"] },
  { light: ["#F5E3CF", "#7A4300"], dark: ["#40301A", "#EBC48B"] },
  { light: ["#E6DFF6", "#5A3A99"], dark: ["#31284C", "#CBB9F4"] },
] as const;

const fontSizes = { 20: 9, 28: 11, 56: 20 } as const;

/**
 * The initials of a person in a circle, or their picture once it is there; their name stands beside it or in the label of what holds it.
 */
export function PersonMark({ person, size = 20 }: { person: Person; size?: keyof typeof fontSizes }) {
  const avatar = useAvatar(person.email);
  const sum = Array.from(person.email).reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0);
  const { light, dark } = tones[sum % tones.length] ?? tones[0];
  return (
    <Box
      component="span"
      aria-hidden="true"
      // Drawn rather than written: as text it would be part of the name of what holds it.
      data-initials={initialsOf(person)}
      sx={{
        "&::before": { content: "attr(data-initials)" },
        position: "relative",
        overflow: "hidden",
        display: "inline-grid",
        placeItems: "center",
        flex: "none",
        width: size,
        height: size,
        borderRadius: "50%",
        fontSize: fontSizes[size],
        lineHeight: 1,
        fontWeight: 600,
        wordSpacing: 0,
        background: light[0],
        color: light[1],
        "[data-theme=dark] &": { background: dark[0], color: dark[1] },
      }}
    >
      {avatar && (
        <img
          key={avatar.url}
          src={avatar.url}
          alt=""
          // Whose pages somebody looks at is nothing that the pictures' service should learn.
          referrerPolicy="no-referrer"
          loading="lazy"
          onLoad={({ currentTarget }) => (currentTarget.style.opacity = "1")}
          onError={avatar.forget}
          style={picture}
        />
      )}
    </Box>
  );
}

/** Until it is loaded, and if there is none, the initials are seen. */
const picture = {
  position: "absolute",
  inset: 0,
  width: "100%",
  height: "100%",
  objectFit: "cover",
  opacity: 0,
} as const;
