/** A part of a picture in pixels. */
export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}
