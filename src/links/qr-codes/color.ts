/** Red, green and blue, from 0 to 255. */
export type Color = readonly [number, number, number];

/** The contrast ratio that scanners need (docs/contract-resources.md, “QR codes”; WCAG's minimum for graphics). */
export const minContrast = 3;

/** Returns the colour of six hex digits. */
export function colorOf(hex: string): Color {
  const number = parseInt(hex, 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
}

export const hexOf = (parts: Color): string => parts.map((part) => part.toString(16).padStart(2, '0')).join('');

/** Returns the contrast ratio of two colours, from 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrast(one: Color, other: Color): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Returns the relative luminance (WCAG 2.2). Its limit of the linear range, 0.04045, is between the values 10 and 11. */
export function luminance([red, green, blue]: Color): number {
  const linear = (part: number): number => (part <= 10 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}
