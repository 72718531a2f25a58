interface Size {
  width: number;
  height: number;
}

/** A display as it is held when it shows a picture of this shape: lying, or upright. */
export const turnedAs = <Display extends Size>(display: Display, picture: Size | undefined): Display =>
  picture && picture.width > picture.height !== display.width > display.height && picture.width !== picture.height
    ? { ...display, width: display.height, height: display.width }
    : display;
