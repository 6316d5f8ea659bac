import { createRequire } from 'node:module';
import { healthCodes } from '../../src/diagnostics/association-health/health-problem';
import { importFailureCodes } from '../../src/management-api/import-model/import';

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

/** Codes of the service, with the beginnings of the keys of their fault and their remedy. */
const explained: [string, readonly string[], fault: string, remedy: string][] = [
  ['links of apps', healthCodes, 'finding', 'remedy'],
  ['failed imports', importFailureCodes, 'imports.failure', 'imports.remedy'],
];

describe.each(catalogues)('the %s catalogue', (_, messages) => {
  describe.each(explained)('about %s', (_about, known, fault, remedy) => {
    test.each(known)('says what %s means, and what to do', (code) => {
      expect(messages[`${fault}.${code}`]).toMatch(/^\S.*[.]$/);
      expect(messages[`${remedy}.${code}`]).toMatch(/^\S/);
    });

    test('has no text for a code that the service does not know', () => {
      const codes = Object.keys(messages).flatMap((key) =>
        [fault, remedy].filter((start) => key.startsWith(`${start}.`)).map((start) => key.slice(start.length + 1)),
      );
      expect([...new Set(codes)].sort()).toEqual([...known].sort());
    });
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
