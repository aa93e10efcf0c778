/** An image in memory: red, green and blue of each pixel, line by line. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Three numbers from 0 to 255 for each pixel. */
  readonly values: Uint8ClampedArray;
}
