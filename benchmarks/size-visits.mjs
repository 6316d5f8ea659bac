import { readFileSync } from 'node:fs';
import { load } from './load.mjs';
import { linksOfFirst, placeOf } from './fill.mjs';

const connections = 64;
const seconds = Number(process.env.SECONDS ?? 2);
const warm = 10_000;

const userAgent =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';
const requestOf = ({ host, path }) =>
  `GET /${path} HTTP/1.1\r\nHost: ${host}.localhost\r\nUser-Agent: ${userAgent}\r\n\r\n`;

/** Spreads numbers over links. 611,953 is coprime to their number. */
const spread = (n, count) => 1 + ((n * 611_953) % count);
/** A link of the first project, which has equally many links in each size. */
const visit = (n, links) => requestOf(placeOf(spread(n, Math.min(links, linksOfFirst)), links));
const visitAnywhere = (n, links) => requestOf(placeOf(spread(n, links), links));
const anyOf = (count) => Math.floor(Math.random() * count);

/** The cases of redirects. Those of one project compare equal visits; a cold link is new in the run. */
export function visits() {
  return {
    'redirect: one hot link': { measure: (side) => run(side, () => visit(1, side.links)) },
    'redirect: 10,000 links at random': {
      prepare: (side) => visitAll(side, warm),
      measure: (side) => run(side, () => visit(anyOf(warm), side.links)),
    },
    'redirect: cold in one project': cold(visit),
    'redirect: cold in all projects': cold(visitAnywhere),
    'redirect: unknown paths': {
      measure: (side) => run(side, () => requestOf({ host: 'size-0', path: `x${Math.random()}` }), 404),
    },
    'redirect: 100,000 links at random': {
      prepare: (side) => visitAll(side, Math.min(side.links, 100_000)),
      measure: (side) => run(side, () => visit(anyOf(Math.min(side.links, 100_000)), side.links)),
    },
  };
}

/** Visits a new link with each request. The first 100,000 of the spread are for the other cases. */
function cold(visit) {
  const visited = new Map();
  return {
    measure: (side) =>
      run(side, () => {
        const n = visited.get(side) ?? 100_000;
        visited.set(side, n + 1);
        return visit(n, side.links);
      }),
  };
}

async function run(side, request, expect = 302) {
  const before = side.cpuOfDatabase();
  const result = await load({ port: side.port, pid: side.pid, expect, connections, seconds, request });
  return {
    'per second': result.perSecond,
    'ms, median': result.p50,
    'ms, p99': result.p99,
    'µs CPU': result.cpu,
    'µs CPU PostgreSQL': (side.cpuOfDatabase() - before) / result.requests,
  };
}

/** Visits the first `count` links of the spread once. */
export async function visitAll({ port, pid, links }, count) {
  const request = (n) => (n < count ? visit(n, links) : null);
  await load({ port, pid, expect: 302, connections, seconds: 120, request });
}

/** Returns the resident set size in megabytes. */
export const residentMegabytes = ({ pid }) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))[1]) / 1000;
