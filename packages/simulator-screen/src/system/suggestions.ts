/** Common words, the most common first. */
const WORDS = (
  "I the thanks you to and a that it for on with this is be have not are what all was we will can your from just now " +
  "there test about more here when they out good time would like know do how one think see then get want today need " +
  "work some make new please meeting should could tomorrow before after again right where people first really great " +
  "because morning hello hey yes okay sure sorry device settings screen phone message note list later week night thing"
).split(" ");

/** Three words that may be meant by what was begun; `text` has words that were used before. */
export function suggestionsFor(begun: string, text: string): string[] {
  if (begun === "") return WORDS.slice(0, 3);
  const used = text.match(/\p{L}{3,}/gu) ?? [];
  const start = begun.toLowerCase();
  const isCapital = begun[0] !== start[0];
  const found = [begun, ...used, ...WORDS]
    .filter((word) => word.toLowerCase().startsWith(start))
    .map((word) => (isCapital ? word[0]?.toUpperCase() + word.slice(1) : word));
  return [...new Set(found)].slice(0, 3);
}
