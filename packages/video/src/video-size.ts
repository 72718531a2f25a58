/** As scrcpy rounds: encoders want whole blocks. */
const BLOCK = 8;

/** The size of the video for a screen: the longer side at most `maxSize` (0: no limit), the same shape, whole blocks. */
export function videoSize(width: number, height: number, maxSize: number): { width: number; height: number } {
  const floor = (side: number) => Math.max(BLOCK, Math.floor(side / BLOCK) * BLOCK);
  const longer = Math.max(width, height);
  if (maxSize === 0 || longer <= maxSize) return { width: floor(width), height: floor(height) };
  const limit = floor(maxSize);
  const shorter = floor((Math.min(width, height) * limit) / longer + BLOCK / 2);
  return width >= height ? { width: limit, height: shorter } : { width: shorter, height: limit };
}
