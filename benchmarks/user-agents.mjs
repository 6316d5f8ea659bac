import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const { resolve } = createRequire(import.meta.url);

// The package exports only random samples, so its data file is read.
const visitors = JSON.parse(readFileSync(join(dirname(resolve('user-agents')), 'user-agents.json'), 'utf8'));

/** The distinct user agents of 10,000 recorded visitors (npm `user-agents`), some 950. */
const recorded = [...new Set(visitors.map(({ userAgent }) => userAgent))];

/** 10,000 distinct user agents: those of the recorded visitors, and the same with other builds of the browser. */
export const userAgents = Array.from({ length: 10_000 }, (_, n) => {
  const build = Math.floor(n / recorded.length);
  const userAgent = recorded[n % recorded.length];
  return build === 0 ? userAgent : userAgent.replace(/[0-9.]*$/, (last) => `${last}.${build}`);
});
