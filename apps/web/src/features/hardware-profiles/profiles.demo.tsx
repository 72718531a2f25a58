import { AppDialog } from "../../components/AppDialog.tsx";
import { aHardwareProfile } from "../../testing/factories.ts";
import ProfileForm from "./ProfileForm.tsx";

const nothing = () => undefined;

const fold = aHardwareProfile({
  name: "Fold 7.6 in",
  is_official: false,
  display_mode: "FOLDABLE",
  recipe_count: 3,
  display_settings: {
    displays: [
      { width: 2208, height: 1840, density: 420, physical_size: null, show_navigation_bar: true },
      { width: 1080, height: 2092, density: 420, physical_size: null, show_navigation_bar: false },
    ],
    hw_navigation_keys: false,
  },
});
const lonely = aHardwareProfile({ display_mode: "MULTI_DISPLAY" });

const Frame = ({ children, title }: { children: React.ReactNode; title: string }) => (
  <AppDialog isLarge title={title} onClose={nothing} width={1000} height={760}>
    {children}
  </AppDialog>
);

export const demos = {
  create: (
    <Frame title="Create a hardware profile">
      <ProfileForm task={{ what: "create" }} onClose={nothing} />
    </Frame>
  ),
  edit: (
    <Frame title="Edit “Fold 7.6 in”">
      <ProfileForm task={{ what: "edit", profile: fold }} onClose={nothing} />
    </Frame>
  ),
  tooFew: (
    <Frame title="Duplicate “Phone”">
      <ProfileForm task={{ what: "duplicate", profile: lonely }} onClose={nothing} />
    </Frame>
  ),
};
