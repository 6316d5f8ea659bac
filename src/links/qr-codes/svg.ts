import { hexOf } from './color';
import type { QrCode } from './qr-code';

/** Renders the code as an SVG with one path: a rectangle for each run of dark modules in a row. */
export function toSvg(code: QrCode): string {
  const { size } = code;
  const { margin, color, background } = code.style;
  const side = code.modules + 2 * margin;
  let path = '';
  for (let row = 0; row < code.modules; row++) {
    for (let column = 0; column < code.modules; column++) {
      const start = column;
      while (column < code.modules && code.isDark(row, column)) column++;
      if (column > start) path += `M${start + margin} ${row + margin}h${column - start}v1h-${column - start}z`;
    }
  }
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges">` +
    `<path fill="#${hexOf(background)}" d="M0 0h${side}v${side}h-${side}z"/><path fill="#${hexOf(color)}" d="${path}"/></svg>`
  );
}
