/** The device that was opened, on the page where it was pressed and on its own: it grows from one into the other. */
export const OPENED_DEVICE = "opened-device";

let latest: string | undefined;

/** Which device of this tab that is, for the way back. */
export const openedDevice = {
  read: () => latest,
  write: (uuid: string) => {
    latest = uuid;
  },
};
