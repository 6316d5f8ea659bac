/** @needs chromium */
import { openBrowser } from '../browser/open-browser';
import { photographs } from '../support/photographs';
import { pictureOfPng, readQrCode } from '../support/qr-reader';
import { load } from './load';
import { fixture } from '../support/fixtures';

const { drawQr, initialDesign } = load('qr/qr-design');

const url = 'https://links.example.com/spring-sale';
const logo = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><circle cx="5" cy="5" r="5" fill="#c00"/></svg>',
)}`;
const pixelsPerMm = 300 / 25.4;

const browser = fixture(() => openBrowser());
const page = fixture(() => browser.newPage());

const shapes = [{ isRounded: false }, { isRounded: true }];
const logos = [{ logo: null }, { logo }];
const frames = [{ frame: '' }, { frame: 'Scan me – Jetzt öffnen' }];
const colors = [{}, { color: '#0f766e', background: '#fef9c3' }];
const levels = [{ errorCorrection: 'L' }, { errorCorrection: 'H' }];
const designs = shapes.flatMap((shape) =>
  logos.flatMap((picture) =>
    frames.flatMap((frame) => colors.map((color) => ({ ...shape, ...picture, ...frame, ...color }))),
  ),
);
const offered = [...designs, ...levels, ...levels.map((level) => ({ ...level, isRounded: true }))];

async function printed(design: object, widthMm: number): Promise<Buffer> {
  const { svg, width, height } = drawQr(url, { ...initialDesign, ...design, widthMm });
  const side = Math.round(widthMm * pixelsPerMm);
  const tall = Math.round((side * height) / width);
  await page.setViewportSize({ width: side, height: tall });
  await page.setContent(
    `<style>*{margin:0}svg{display:block;width:${side}px;height:${tall}px}</style>${svg.replace(/ width="[^"]*mm" height="[^"]*mm"/, '')}`,
  );
  return page.screenshot();
}

test.each(offered)('the design %j is read at 300 dpi, and on photographs', async (design) => {
  const picture = pictureOfPng(await printed(design, 30));
  expect(readQrCode(picture)).toBe(`${url}?_via=qr`);
  for (const [how, photograph] of Object.entries(photographs))
    expect([how, readQrCode(photograph(picture))]).toEqual([how, `${url}?_via=qr`]);
});
