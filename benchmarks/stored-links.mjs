import { existsSync, mkdirSync, readFileSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { fill } from './fill.mjs';
import { postgres, service } from './programs.mjs';

/** Memory for all data of so many links. More would be reserved in vain, if it has huge pages. */
const usefulMegabytes = (links) => 512 + Math.ceil(links / 500);

const megabytesOf = (text) => {
  const [, number, unit] = /^([0-9]+)(GB|MB)$/.exec(text) ?? [];
  if (!number) throw new Error(`SHARED_BUFFERS is ${text}. Write it like 12GB or 512MB.`);
  return Number(number) * (unit === 'GB' ? 1024 : 1);
};

/** As docs/operating/postgresql.md recommends, for a machine with 16 GB. */
const production = (links) => ({
  shared_buffers: `${Math.min(megabytesOf(process.env.SHARED_BUFFERS ?? '4GB'), usefulMegabytes(links))}MB`,
  random_page_cost: '1.1',
  autovacuum_vacuum_scale_factor: '0.05',
  max_wal_size: '4GB',
  maintenance_work_mem: '1GB',
  shared_preload_libraries: 'pg_stat_statements',
});

/** Without a write-ahead log of new tables, and with all cores for indexes. */
const whileFilling = (links) => ({
  ...production(links),
  wal_level: 'minimal',
  max_wal_senders: '0',
  work_mem: '256MB',
  max_parallel_maintenance_workers: '2',
  ...(process.env.MAINTENANCE_WORK_MEM && { maintenance_work_mem: process.env.MAINTENANCE_WORK_MEM }),
});

/** Measured: 30,000,000 links with all indexes. */
const bytesPerLink = 1300;

/**
 * Starts a PostgreSQL with so many links in a folder, and fills it if it is new.
 *
 * @returns {Promise<{ url: string, key: string, stop: () => Promise<void> }>} `key` is an API key of the first project's account
 */
export async function storedLinks(folder, links) {
  const home = join(folder, `links-${links}`);
  const done = join(folder, `links-${links}.json`);
  if (!existsSync(done)) {
    const free = statfsSync(existsSync(folder) ? folder : tmpdir());
    if (free.bavail * free.bsize < links * bytesPerLink)
      throw new Error(
        `${links} links need ${Math.ceil((links * bytesPerLink) / 1e9)} GB of disk in ${folder}. Set DATA_DIR.`,
      );
    mkdirSync(home, { recursive: true, mode: 0o755 });
    const key = await filled(home, links);
    writeFileSync(done, JSON.stringify({ key }));
  }
  const { key } = JSON.parse(readFileSync(done, 'utf8'));
  return { ...(await postgres(production(links), home)), key };
}

async function filled(home, links) {
  const database = await postgres(whileFilling(links), home);
  const client = new pg.Client({ connectionString: database.url });
  try {
    await (await service(database.url)).stop();
    await client.connect();
    const startedAt = performance.now();
    const key = await fill(client, database.url, links, (message) => console.log(`filling: ${message}`));
    console.log(`filled with ${links} links in ${((performance.now() - startedAt) / 60_000).toFixed(1)} minutes`);
    return key;
  } finally {
    await client.end();
    await database.stop();
  }
}
