import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { refuse } from './findings.mjs';

/**
 * Checks that CHANGELOG.md has entries for the version of package.json. A tag requires a dated section. Without a tag, entries
 * under Unreleased suffice.
 */
export function checkChangelog(root, { tag }) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const sections = new Map(
    readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
      .split(/^## /m)
      .slice(1)
      .map((section) => [section.slice(0, section.indexOf('\n')), section.slice(section.indexOf('\n'))]),
  );
  const released = [...sections.keys()].find((heading) => heading.startsWith(`[${version}]`));
  const heading = released ?? (tag === undefined ? '[Unreleased]' : undefined);
  refuse([
    ...(tag !== undefined && tag !== `v${version}` ? [`The tag is ${tag}, and package.json has ${version}.`] : []),
    ...(heading === undefined || !sections.has(heading) ? [`CHANGELOG.md has no section for ${version}.`] : []),
    ...(released !== undefined && !/^\[[^\]]+\] - \d{4}-\d\d-\d\d$/.test(released)
      ? [`The heading "${released}" has no date: write [${version}] - YYYY-MM-DD.`]
      : []),
    ...(sections.has(heading) && !/^- \S/m.test(sections.get(heading)) ? [`The section ${heading} has no entry.`] : []),
  ]);
  return `the section is ${heading}`;
}
