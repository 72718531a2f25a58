const segmenter = new Intl.Segmenter();

/** The characters of a text as a reader counts them: an emoji of several parts is one. */
export const graphemesOf = (text: string): string[] => Array.from(segmenter.segment(text), ({ segment }) => segment);
