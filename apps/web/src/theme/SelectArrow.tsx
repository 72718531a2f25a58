import ChevronsUpDown from "lucide-react/icons/chevrons-up-down";

/** Says that a field opens a list, in both directions since the list lies over it. */
export const SelectArrow = ({ className }: { className?: string }) => (
  <ChevronsUpDown className={className} size={14} strokeWidth={2} aria-hidden="true" />
);
