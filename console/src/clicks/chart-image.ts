const scale = 2;
const legendHeight = 28;

interface LegendEntry {
  name: string;
  color: string;
}

/** Draws a chart with its legend as PNG. Styles of the page are written into the copy, because a picture has no style sheet. */
export async function chartImage(chart: SVGSVGElement, legend: LegendEntry[]): Promise<Blob> {
  const { width, height } = chart.getBoundingClientRect();
  const copy = chart.cloneNode(true) as SVGSVGElement;
  const originals = [chart, ...chart.querySelectorAll('*')];
  for (const [at, element] of [copy, ...copy.querySelectorAll('*')].entries()) {
    const { fill, stroke, fontFamily, fontSize } = getComputedStyle(originals[at]!);
    element.setAttribute('style', `fill:${fill};stroke:${stroke};font-family:${fontFamily};font-size:${fontSize}`);
  }
  const size = { width, height: height + legendHeight };
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(size.width));
  copy.setAttribute('height', String(size.height));
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [size.width * scale, size.height * scale];
  const drawing = canvas.getContext('2d')!;
  drawing.scale(scale, scale);
  drawing.fillStyle = getComputedStyle(document.body).backgroundColor;
  drawing.fillRect(0, 0, size.width, size.height);
  const picture = new Image();
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await picture.decode();
  drawing.drawImage(picture, 0, 0);
  drawLegend(drawing, legend, height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The browser made no picture.'))), 'image/png'),
  );
}

function drawLegend(drawing: CanvasRenderingContext2D, legend: LegendEntry[], top: number): void {
  const { color, fontFamily } = getComputedStyle(document.body);
  const root = getComputedStyle(document.documentElement);
  drawing.font = `13px ${fontFamily}`;
  drawing.textBaseline = 'middle';
  let left = 12;
  for (const entry of legend) {
    drawing.fillStyle = root.getPropertyValue(`--mantine-color-${entry.color}`);
    drawing.beginPath();
    drawing.arc(left + 5, top + legendHeight / 2, 5, 0, 2 * Math.PI);
    drawing.fill();
    drawing.fillStyle = color;
    drawing.fillText(entry.name, left + 16, top + legendHeight / 2);
    left += 16 + drawing.measureText(entry.name).width + 20;
  }
}
