/** The element is the room that a picture may take; the picture takes as much of it as its shape allows. */
const rules = `
.terrarium-display { container-type: size; display: grid; place-items: center; width: 100%; height: 100%; }
.terrarium-picture {
  position: relative; width: min(100cqw, 100cqh * var(--picture-ratio, 0.5)); aspect-ratio: var(--picture-ratio, 0.5);
  touch-action: none; user-select: none; transition: opacity 180ms;
}
.terrarium-picture :is(& > div, & > div > div, .gm-wrapper, .gm-video-wrapper, video, canvas) {
  display: block; width: 100%; height: 100%;
}
.terrarium-picture .gm-click-to-unmute, .terrarium-picture .gm-video-overlay { display: none; }
`;

let sheet: CSSStyleSheet | undefined;

/** Styles pictures in a document or a shadow tree, even where a page's policy allows no `<style>`. */
export function stylePictures(root: Node): void {
  if (!(root instanceof Document || root instanceof ShadowRoot)) return;
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(rules);
  }
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
}
