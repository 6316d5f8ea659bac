import { becomesTrue } from '../support/eventually';
import { Program } from '../support/process';
import { useInstallation } from './installation';

jest.setTimeout(1_800_000);

const rows = 3000;

interface Job {
  id: string;
  state: string;
  processed: number;
  counts: Record<string, number>;
}

const on = useInstallation('imported', { environment: () => ({ IMPORT_PROCESS: 'separate' }) });
let imports: string;
let replicas: Program[];
/** Processes of imports, which tests start and kill. */
let workers: Program[] = [];

const startWorkers = async (count: number): Promise<void> => {
  const one = () => Program.serving({ DATABASE_URL: on.cluster.url, ROLE: 'import' });
  workers = await Promise.all(Array.from({ length: count }, one));
};

const start = async (): Promise<void> => {
  replicas = [await on.replica(), await on.replica()];
  await startWorkers(2);
};

const killAll = () => Promise.all([...replicas, ...workers].map((program) => program.kill()));

beforeAll(async () => {
  await on.service.stop();
  await start();
  imports = `${on.project}/imports`;
});

const get = async (id: string): Promise<Job | null> => {
  const answer = await replicas[0]!.ask(`${imports}/${id}`, { key: on.key });
  return answer.status === 200 ? (answer.json.data as unknown as Job) : null;
};

/** The longest standstill. A job of a killed process is given to another one after some seconds. */
const standstillMs = 300_000;

/** Waits until so many rows are done, or the import is in another state. It may take long on a busy machine, but never stands still. */
async function reaches(id: string, state: string, processed: number): Promise<void> {
  let last = -1;
  for (;;) {
    let job: Job | null = null;
    const goesOn = async () => {
      job = await get(id);
      return job !== null && (job.state !== state || job.processed > last);
    };
    expect(await becomesTrue(goesOn, standstillMs)).toBe(true);
    const { state: now, processed: done } = job as unknown as Job;
    if (now !== state || done >= processed) return;
    last = done;
  }
}

test('an import creates each link once, although its processes are killed and the database stops', async () => {
  const body = Array.from({ length: rows }, (_, at) => ({
    name: `Link ${at}`,
    custom_path: `path-${at}`,
    tags: [`t${at % 3}`],
  }));
  const uploaded = await replicas[0]!.ask(imports, { method: 'POST', key: on.key, body });
  expect(uploaded.status).toBe(202);
  const { id } = uploaded.json.data as unknown as Job;
  await reaches(id, 'checking', 300);
  await killAll();
  await start();
  await reaches(id, 'checking', Infinity);
  expect(await get(id)).toMatchObject({ state: 'ready', counts: { created: rows, conflict: 0, refused: 0 } });

  expect((await replicas[1]!.ask(`${imports}/${id}/run`, { method: 'POST', key: on.key })).status).toBe(202);
  for (const part of [0.1, 0.4]) {
    await reaches(id, 'running', part * rows);
    await killAll();
    await start();
  }
  await reaches(id, 'running', 0.6 * rows);
  await on.cluster.stop();
  await on.cluster.start();
  await reaches(id, 'running', Infinity);
  const counts = { created: rows, unchanged: 0, conflict: 0, refused: 0 };
  expect(await get(id)).toMatchObject({ state: 'completed', processed: rows, counts });
  const [stored] = await on.cluster.query<Record<string, string>>(
    `SELECT count(*) AS links, count(DISTINCT link_id) AS ids,
       (SELECT count(*) FROM dynamic_links WHERE custom_path LIKE 'path-%') AS created,
       (SELECT sum(links) FROM tag_counts) AS tagged, (SELECT sum(reserved_links) FROM imports) AS reserved
     FROM import_data.rows_${id.replaceAll('-', '')} AS rows
     JOIN dynamic_links ON dynamic_links.id = link_id AND custom_path = 'path-' || (rows.number - 1)`,
  );
  const all = String(rows);
  expect(stored).toEqual({ links: all, ids: all, created: all, tagged: all, reserved: '0' });
});

test('an import that ends its process twice fails, and others continue', async () => {
  await Promise.all(workers.map((worker) => worker.kill()));
  const upload = async (path: string): Promise<string> => {
    const body = [{ name: 'Expensive', custom_path: path }];
    return ((await replicas[0]!.ask(imports, { method: 'POST', key: on.key, body })).json.data as unknown as Job).id;
  };
  const id = await upload('expensive');
  const blocker = await on.cluster.connect();
  await blocker.query('BEGIN; LOCK TABLE link_paths IN ACCESS EXCLUSIVE MODE');
  for (const attempts of [0, 1]) {
    await startWorkers(1);
    await becomesTrue(async () => {
      const [row] = await on.cluster.query<{ attempts: string }>(
        `SELECT attempts FROM imports WHERE id = '${id}' AND attempted_by IS NOT NULL`,
      );
      return row?.attempts === String(attempts);
    }, standstillMs);
    await workers[0]!.kill();
  }
  await blocker.query('ROLLBACK');
  await blocker.end();
  await startWorkers(1);
  const other = await upload('cheap');
  await reaches(other, 'checking', Infinity);
  await reaches(id, 'checking', Infinity);
  expect(await get(id)).toMatchObject({ state: 'failed', failure_code: 'too_expensive' });
  expect(await get(other)).toMatchObject({ state: 'ready', counts: { created: 1 } });
});
