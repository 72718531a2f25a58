/** The widest window, in CSS pixels, that is no desktop yet. */
const TABLET_WIDTH = 1280;

/** In windows that are wider there is room for words where others have a sign alone. */
export const DESKTOP = `(width > ${TABLET_WIDTH}px)`;
