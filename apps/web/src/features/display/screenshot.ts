/** The frame that a video shows now, as a PNG of its full size; undefined before there is one. */
export async function screenshotOf(video: HTMLVideoElement): Promise<Blob | undefined> {
  if (video.videoWidth === 0) return undefined;
  const canvas = document.createElement("canvas");
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  canvas.getContext("2d")?.drawImage(video, 0, 0);
  return new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? undefined), "image/png"));
}

/** As `fileName`. */
export const screenshotName = (device: string, now: number): string => fileName(device, now, "png");

/** `payments-smoke-01 2026-03-02 09.41.07.png`, in UTC; without what file systems refuse. */
export function fileName(device: string, now: number, ending: string): string {
  const time = new Date(now).toISOString().slice(0, 19).replace("T", " ").replaceAll(":", ".");
  return `${device.replaceAll(/[^\p{L}\p{N}._ -]+/gu, "-")} ${time}.${ending}`;
}
