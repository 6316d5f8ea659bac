import { deviceCheckCodes } from '../../src/diagnostics/association-health/device-checks';
import { healthCodes } from '../../src/diagnostics/association-health/health-problem';
import { decisionRules, findings, stepOf } from '../../src/diagnostics/explain/steps';
import { importFailureCodes } from '../../src/imports/model/import';
import { load } from './load';

const catalogue = (language: string): Record<string, string> => load(`messages/${language}`).messages;
const [english, german] = [catalogue('en'), catalogue('de')];

/** Codes of the service, with the beginnings of the keys of their fault and their remedy. */
const explained: [string, readonly string[], fault: string, remedy: string][] = [
  ['links of apps', healthCodes, 'finding', 'remedy'],
  ['failed imports', importFailureCodes, 'imports.failure', 'imports.remedy'],
];

/** All findings of the rules, as `rule.finding`. */
const ruleFindings = decisionRules.flatMap((rule) =>
  findings.filter((finding) => stepOf(rule, finding as never).reason !== undefined).map((one) => `${rule}.${one}`),
);

/** Codes of the service, with the beginning of the key of their text. */
const named: [string, readonly string[], start: string][] = [
  ['rules of visits', decisionRules, 'visit.rule'],
  ['findings of the rules', ruleFindings, 'visit.reason'],
  ['lines to paste', deviceCheckCodes, 'health.purpose'],
];

describe.each(Object.entries({ English: english, German: german }))('the %s catalogue', (_, messages) => {
  test.each(named)('has a text for all %s, and for no other', (_about, known, start) => {
    const codes = Object.keys(messages).filter((key) => key.startsWith(`${start}.`));
    expect(codes.sort()).toEqual(known.map((code) => `${start}.${code}`).sort());
  });

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
