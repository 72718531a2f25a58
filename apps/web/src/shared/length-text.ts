/** How long something is: `0:42`, `1:05:09`. Begun seconds do not count. */
export function lengthText(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  const two = (part: number) => String(part).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
}
