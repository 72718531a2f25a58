/**
 * How well a text answers what was typed: higher is better, undefined if it does not. Each word that was typed must be in it: as its
 * beginning, the beginning of a word, a part, or its letters in order.
 */
export function scoreOf(typed: string, text: string): number | undefined {
  const words = plain(typed).split(/\s+/).filter(Boolean);
  const target = plain(text);
  let total = 0;
  for (const word of words) {
    const score = scoreOfWord(word, target);
    if (score === undefined) return undefined;
    total += score;
  }
  // Of texts that answer equally well, the shorter says less else.
  return words.length === 0 ? 0 : total / words.length - Math.min(target.length, 100) / 1000;
}

function scoreOfWord(word: string, text: string): number | undefined {
  const at = text.indexOf(word);
  if (at === 0) return 4;
  if (at > 0) return text.includes(` ${word}`) ? 3 : 2;
  let from = 0;
  for (const letter of word) {
    const next = text.indexOf(letter, from);
    if (next < 0) return undefined;
    from = next + 1;
  }
  // Two letters are in order in nearly every text.
  return word.length > 2 ? 1 : undefined;
}

/** Without case and accents. */
const plain = (text: string): string => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();

/** Those that answer what was typed, the best first; of equals, the order stays. */
export function matching<Item extends { title: string; words?: string | undefined }>(
  typed: string,
  items: readonly Item[],
): Item[] {
  return items
    .flatMap((item) => {
      const scores = [item.title, item.words ?? ""]
        .map((text) => scoreOf(typed, text))
        .filter((score) => score !== undefined);
      return scores.length > 0 ? [{ item, score: Math.max(...scores) }] : [];
    })
    .sort((one, other) => other.score - one.score)
    .map(({ item }) => item);
}
