import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../support/eventually';
import { type Attacker, AttackedService, written } from '../support/victim';

const attackMs = 3000;

let on: AttackedService;
let attacker: Attacker;
let client: ChildProcess | undefined;
beforeAll(async () => {
  requireFiles(10_500);
  on = await AttackedService.start();
  attacker = await on.anAttacker();
});
afterEach(() => endAbuse());
afterAll(() => on.stop());

/** Fails if the hard limit of open files is too low; Node raises its soft limit to it. */
function requireFiles(files: number): void {
  const [, , hard] = /^Max open files +(\S+) +(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  if (hard !== 'unlimited' && Number(hard) < files)
    throw new Error(
      `10,000 connections need ${files} open files, and ${hard} are allowed: ulimit -Hn ${files}, or more`,
    );
}

interface Report {
  open: number;
  /** The connections opened so far. The service closes some while a busy machine still opens others. */
  opened: number;
  answers: Record<string, number>;
}

let report: Report;

/** Starts the abuse and waits until it has its full effect. */
async function startAbuse(kind: string, isAtPeak: (report: Report) => boolean): Promise<void> {
  await endAbuse();
  report = { open: 0, opened: 0, answers: {} };
  const script = join(__dirname, '../support/hostile-client.mjs');
  client = spawn(process.execPath, [script, String(on.program.port), attacker.key, kind], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  createInterface({ input: client.stdout! }).on('line', (line) => (report = JSON.parse(line) as Report));
  await until(() => isAtPeak(report));
}

async function endAbuse(): Promise<void> {
  if (client?.exitCode !== null || client.signalCode !== null) return;
  client.kill('SIGKILL');
  await once(client, 'exit');
}

test.each<[kind: string, isAtPeak: (report: Report) => boolean, refusals: string[]]>([
  ['large-bodies', ({ open }) => open >= 6, ['413']],
  ['slow-heads', ({ open, opened }) => opened >= 950 && open >= 700, ['408']],
  ['idle-connections', ({ open, opened }) => opened >= 9900 && open >= 7000, ['302', '408']],
  ['deep-json', ({ answers }) => (answers['400'] ?? 0) > 20, ['400']],
])('%s leave memory and other accounts alone', async (kind, isAtPeak, refusals) => {
  const loud = await on.victim.expectUnharmed(() => delay(attackMs), {
    prepare: () => startAbuse(kind, isAtPeak),
    isUnavailable: () => '503' in report.answers,
  });
  console.info(`${kind}: ${written(loud)}, abuser was answered ${JSON.stringify(report.answers)}`);
  expect(Object.keys(report.answers).filter((status) => !refusals.includes(status))).toEqual([]);
  expect(on.program.running).toBe(true);
});
