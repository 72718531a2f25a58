import type { Organization } from "@terrarium/contract";

/** The first day of the announcement, and the first day without it, in UTC. */
const FROM = Date.UTC(2025, 8, 15);
const UNTIL = Date.UTC(2026, 3, 1);

/** In the session's storage. No button sets it, as the announcement cannot be dismissed; a script or a test may. */
const ACKNOWLEDGED = "terrarium.announcement-acknowledged";

export const isAcknowledged = (): boolean => sessionStorage.getItem(ACKNOWLEDGED) !== null;

interface Situation {
  /** The service's time, in milliseconds. */
  now: number;
  isAcknowledged: boolean;
  /** Undefined for guests. */
  organization: Pick<Organization, "uuid" | "os_images_supported_arch"> | undefined;
  /** The organization that sees no announcements. */
  excluded: string | null;
}

/** Whether the announcement is shown. It concerns those who could start devices of another architecture than arm64. */
export const isAnnounced = ({ now, isAcknowledged: isKnown, organization, excluded }: Situation): boolean =>
  now >= FROM &&
  now < UNTIL &&
  !isKnown &&
  organization !== undefined &&
  organization.os_images_supported_arch.length > 1 &&
  organization.uuid !== excluded;
