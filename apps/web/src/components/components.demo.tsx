import { Button } from "@mui/material";
import { AppError } from "@terrarium/sdk";
import Bold from "lucide-react/icons/bold";
import Italic from "lucide-react/icons/italic";
import { ConfirmDialog } from "./ConfirmDialog.tsx";
import { CopyId } from "./CopyId.tsx";
import { EmailChips } from "./EmailChips.tsx";
import { EmptyState } from "./EmptyState.tsx";
import { ErrorState } from "./ErrorState.tsx";
import { SearchField } from "./SearchField.tsx";
import { IconToggles, Segmented } from "./Segmented.tsx";
import { Tag } from "./Tag.tsx";
import { TextInput } from "./TextInput.tsx";
import { UsageMeter } from "./UsageMeter.tsx";

const nothing = () => undefined;

/** What would fit any product, in the states worth seeing. */
export const demos = {
  tag: <Tag>arm64</Tag>,
  copyId: <CopyId id="7f3a91c2-5b1e-4c0f-9a77-2d10b6c4e8aa" />,
  segmented: (
    <Segmented
      label="Source"
      value="all"
      onChange={nothing}
      choices={[
        { value: "all", label: "All" },
        { value: "official", label: "Official" },
      ]}
    />
  ),
  toggles: (
    <IconToggles
      label="Shapes"
      values={["bold"]}
      onChange={nothing}
      choices={[
        { value: "bold", label: "Bold", glyph: Bold },
        { value: "italic", label: "Italic", glyph: Italic },
      ]}
    />
  ),
  search: <SearchField label="Search recipes" value="wear" onChange={nothing} />,
  field: <TextInput label="Recipe name" help="Shown to everyone you share with" counter="224 / 250" />,
  fieldInError: <TextInput label="Description" error="Required" />,
  emails: (
    <EmailChips label="People" help="Separate addresses with commas" value={["mara@demo.test"]} onChange={nothing} />
  ),
  emailsInError: (
    <EmailChips
      label="People"
      error="Some emails are invalid."
      value={["mara@demo.test", "kim", `${"a-long-name-".repeat(12)}@demo.test`]}
      isWrong={(email) => !email.includes("@")}
      onChange={nothing}
    />
  ),
  meter: <UsageMeter used={7} max={10} label="7 of 10 running" />,
  largeMeter: <UsageMeter used={70} max={1000} label="70 of 1,000 running" />,
  empty: (
    <EmptyState title="No devices are running" help="Start one from a recipe.">
      <Button>Start device</Button>
    </EmptyState>
  ),
  error: (
    <ErrorState
      title="Recipes did not load"
      help="Your recipes are safe."
      error={new AppError("SERVICE_UNAVAILABLE", { requestId: "3f9c-71ab" })}
      onRetry={nothing}
    />
  ),
  confirm: (
    <ConfirmDialog isDestructive title="Stop one?" confirm="Stop device" onClose={nothing} onConfirm={nothing}>
      What changed is lost.
    </ConfirmDialog>
  ),
};
