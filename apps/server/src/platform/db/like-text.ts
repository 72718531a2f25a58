/** Text that stands for itself in a LIKE pattern. */
export const likeText = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);
