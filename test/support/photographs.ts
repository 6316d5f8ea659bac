import type { Picture } from './qr-reader';

/** Brightness of each pixel, row by row, because scanners ignore colours. */
interface Grey {
  width: number;
  height: number;
  values: Uint8Array;
}

const paper = 255;

function greyOf({ width, height, data }: Picture): Grey {
  const values = new Uint8Array(width * height);
  for (let at = 0; at < values.length; at++)
    values[at] = 0.299 * data[4 * at]! + 0.587 * data[4 * at + 1]! + 0.114 * data[4 * at + 2]!;
  return { width, height, values };
}

function pictureOf({ width, height, values }: Grey): Picture {
  const data = new Uint8ClampedArray(values.length * 4).fill(255);
  for (let at = 0; at < values.length; at++) data[4 * at] = data[4 * at + 1] = data[4 * at + 2] = values[at]!;
  return { width, height, data };
}

/** Averages the pixels around each, as a camera out of focus does. */
function blurred(grey: Grey, radius: number): Grey {
  const { width, height } = grey;
  const average = (from: Uint8Array, step: number, length: number, line: number, lines: number): Uint8Array => {
    const to = new Uint8Array(from.length);
    for (let row = 0; row < lines; row++)
      for (let place = 0; place < length; place++) {
        let sum = 0;
        for (let near = place - radius; near <= place + radius; near++)
          sum += near < 0 || near >= length ? paper : from[row * line + near * step]!;
        to[row * line + place * step] = sum / (2 * radius + 1);
      }
    return to;
  };
  const values = average(average(grey.values, 1, width, width, height), width, height, 1, width);
  return { width, height, values };
}

function rotated({ width, height, values }: Grey, degrees: number): Grey {
  const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
  const side = Math.ceil(Math.sqrt(width * width + height * height));
  const turned = new Uint8Array(side * side).fill(paper);
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      const fromX = (cos * (x - side / 2) + sin * (y - side / 2) + width / 2) | 0;
      const fromY = (cos * (y - side / 2) - sin * (x - side / 2) + height / 2) | 0;
      if (fromX >= 0 && fromX < width && fromY >= 0 && fromY < height)
        turned[y * side + x] = values[fromY * width + fromX]!;
    }
  return { width: side, height: side, values: turned };
}

/** Takes most of the light, and more of it at the right, as under a lamp at the left. */
function darkened({ width, height, values }: Grey): Grey {
  const dark = values.map((value, at) => 12 + value * (0.5 - (0.25 * (at % width)) / width));
  return { width, height, values: dark };
}

const photograph = (take: (grey: Grey) => Grey) => (picture: Picture) => pictureOf(take(greyOf(picture)));

/** Photographs of a printed picture. They depend on nothing but the original. */
export const photographs: Record<string, (picture: Picture) => Picture> = {
  blurred: photograph((grey) => blurred(grey, 2)),
  rotated: photograph((grey) => rotated(grey, 17)),
  dark: photograph(darkened),
  'blurred, rotated and dark': photograph((grey) => darkened(rotated(blurred(grey, 1), -9))),
};
