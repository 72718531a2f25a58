import Check from "lucide-react/icons/check";
import Minus from "lucide-react/icons/minus";

const box = {
  width: 16,
  height: 16,
  display: "grid",
  placeItems: "center",
  borderRadius: 4,
  border: "1.5px solid currentColor",
  background: "var(--mui-palette-background-paper)",
};
const filled = {
  ...box,
  border: "1.5px solid var(--mui-palette-primary-main)",
  background: "var(--mui-palette-primary-main)",
  color: "var(--mui-palette-primary-contrastText)",
};

/** Check boxes of the size of our icons, in their three states. */
export const CheckboxEmpty = <span style={box} />;
export const CheckboxTicked = (
  <span style={filled}>
    <Check size={12} strokeWidth={3} />
  </span>
);
export const CheckboxSome = (
  <span style={filled}>
    <Minus size={12} strokeWidth={3} />
  </span>
);
