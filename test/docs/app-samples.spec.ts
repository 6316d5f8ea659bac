import { launchOutcomes } from '../../src/clicks/app-events/app-event';
import { firstLaunchFields, firstLaunchPath } from '../../src/link-traffic/apps/first-launches';
import { readPage } from '../support/pages';

const codeOf = (page: string, language: string): string =>
  [...readPage(page).matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))]
    .map(([, code]) => code)
    .join('\n');
const swift = codeOf('docs/deferred-deep-links-ios.md', 'swift');
const kotlin = codeOf('docs/deferred-deep-links-android.md', 'kotlin');
const namesIn = (code: string, pattern: RegExp): string[] => pattern.exec(code)![1]!.split(/, */).sort();

const finalStatuses = /\[(4\d\d(?:, 4\d\d)+)\]\.includes/;
const samples: [language: string, code: string, outcomes: readonly string[], finalStatuses: RegExp][] = [
  ['Swift', swift, launchOutcomes, /\[(4\d\d(?:, 4\d\d)+)\]\.contains/],
  // Android does not ask, so nobody declines.
  ['Kotlin', kotlin, launchOutcomes.filter((one) => one !== 'declined'), /!in setOf\((4\d\d(?:, 4\d\d)+)\)/],
];

describe.each(samples)('the first launch in %s', (_language, code, outcomes, statuses) => {
  test.each([firstLaunchPath, 'deferred-links/claim'])('sends to %s', (path) => {
    expect(code).toMatch(new RegExp(`"/?${path}"`));
  });

  test.each([...Object.keys(firstLaunchFields), 'claim_id'])('sends the field %s', (field) => {
    expect(code).toContain(`"${field}"`);
  });

  test('reports all outcomes that its platform has, and no other', () => {
    const cases = /enum Outcome[^{]*\{ case ([^}]*?) \}/.exec(code)?.[1]?.split(', ');
    const reported =
      cases?.map((one) => /"(.*)"/.exec(one)?.[1] ?? one) ??
      [...code.matchAll(/(?:\bend\((?:if \(isOld\) )?|\belse |\)\) )([A-Z_]+)\b/g)].map(([, one]) =>
        one!.toLowerCase(),
      );
    expect([...new Set(reported)].sort()).toEqual([...outcomes].sort());
  });

  test('repeats a report until the same answers as the SDK', () => {
    expect(namesIn(code, statuses)).toEqual(namesIn(readPage('clients/app/src/open-queue.ts'), finalStatuses));
  });
});

test('Flutter calls what its channel has, and reads its results', () => {
  const [dart, inSwift, inKotlin] = (['dart', 'swift', 'kotlin'] as const).map((one) =>
    codeOf('docs/apps/flutter.md', one),
  );
  const methods = [...dart!.matchAll(/'(status|read|decline)'/g)]
    .map(([, name]) => name)
    .filter((name) => name !== undefined);
  expect(methods).toEqual(['status', 'status', 'read', 'decline', 'status']);
  expect([...inSwift!.matchAll(/case "(\w+)"/g)].map(([, name]) => name)).toEqual(['status', 'read', 'decline']);
  const results = [...inKotlin!.matchAll(/mapOf\("status" to "(\w+)"/g)].map(([, name]) => name);
  expect(results.sort()).toEqual(
    [...kotlin.matchAll(/data (?:object|class) (\w+)\b.*: DeferredStatus$/gm)]
      .map(([, name]) => name!.toLowerCase())
      .sort(),
  );
  for (const code of [dart, inSwift, inKotlin]) expect(code).toMatch(/\(.*['"]deferred_links['"]/);
});
