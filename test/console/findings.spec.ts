import { createRequire } from 'node:module';
import { healthCodes } from '../../src/diagnostics/association-health/health-problem';

type Messages = Record<string, string>;

const load = createRequire(__filename);

/** Loads a catalogue. The console has other TypeScript settings, which an import would not follow. */
const catalogue = (language: string): Messages =>
  (load(`../../console/src/messages/${language}`) as { messages: Messages }).messages;
const [english, german] = [catalogue('en'), catalogue('de')];

const catalogues: [string, Messages][] = [
  ['English', english],
  ['German', german],
];

describe.each(catalogues)('the %s catalogue', (_, messages) => {
  test.each(healthCodes)('says what %s means, and what to do', (code) => {
    expect(messages[`finding.${code}`]).toMatch(/^\S.*[.]$/);
    expect(messages[`remedy.${code}`]).toMatch(/^\S/);
  });

  test('has no text for a code that the service does not know', () => {
    const codes = Object.keys(messages).flatMap((key) => /^(?:finding|remedy)\.(.+)$/.exec(key)?.[1] ?? []);
    expect([...new Set(codes)].sort()).toEqual([...healthCodes].sort());
  });
});

test('both catalogues have the same parameters in each text', () => {
  const parametersOf = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();
  const differing = Object.entries(english).filter(
    ([key, text]) => String(parametersOf(text)) !== String(parametersOf(german[key]!)),
  );
  expect(differing).toEqual([]);
});

test('the German texts are translated', () => {
  const same = healthCodes.filter((code) => english[`finding.${code}`] === german[`finding.${code}`]);
  expect(same).toEqual([]);
});
