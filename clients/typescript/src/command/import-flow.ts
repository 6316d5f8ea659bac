import type { Import } from '../index.js';
import { confirm } from './confirm.js';
import type { Connection } from './connection.js';
import type { Context } from './context.js';
import { type ExitCode, exitCodes } from './exit-codes.js';
import { Failure, Interrupted } from './failures.js';
import { hasRows, printSummary, readFaultyRows, saveReport } from './import-summary.js';
import { watchImport } from './import-watch.js';
import { counted } from './text.js';

/** The steps of an import after the upload: dry run, question, run. */
export class ImportFlow {
  readonly #params: { path: { projectId: string; importId: string } };
  #isRunning = false;
  /** Whether the import would stay open, although nobody will run it. A project has few open imports. */
  #isAbandoned: boolean;

  constructor(
    private readonly context: Context,
    private readonly service: Connection,
    private readonly importId: string,
    isNew: boolean,
  ) {
    this.#params = { path: { ...service.path, importId } };
    this.#isAbandoned = isNew;
  }

  async run(): Promise<ExitCode> {
    try {
      const checked = await this.#watch();
      if (checked.state !== 'ready') return await this.#finish(checked, 'Run');
      const { created, replaced, conflict } = checked.counts;
      const isBlocked = checked.conflict === 'fail' && conflict > 0;
      if (isBlocked) return await this.#finish(checked, 'Nothing is run, because rows conflict.');
      if (this.context.args.flag('dry-run') || created + replaced === 0) return await this.#finish(checked, 'Dry run');
      await this.#confirm(checked);
      await this.#start();
      return await this.#finish(await this.#watch(), 'Run');
    } catch (error) {
      if (error instanceof Interrupted && this.#isRunning)
        this.context.note(`The run goes on in the service; watch it with signpost import --resume ${this.importId}.`);
      throw error;
    } finally {
      await this.#cancelIfAbandoned();
    }
  }

  async #watch(): Promise<Import> {
    const { io, progress } = this.context;
    const job = await watchImport(io, progress, this.service, this.importId);
    if (job.state !== 'ready') this.#isAbandoned = this.#isRunning = false;
    return job;
  }

  async #confirm(checked: Import): Promise<void> {
    const { io, args, isJson, progress } = this.context;
    progress.end();
    if (!isJson) printSummary(this.context, 'Dry run', checked, await readFaultyRows(this.service, checked));
    const { created, replaced } = checked.counts;
    await confirm(io, args, `Create ${counted(created, 'link')} and replace ${replaced.toLocaleString('en-US')}?`);
  }

  async #start(): Promise<void> {
    const { client, send } = this.service;
    const route = '/projects/{projectId}/imports/{importId}/run';
    const query = { acknowledge: this.context.args.text('acknowledge') };
    const request = send(() => client.POST(route, { params: { ...this.#params, query } }), { isRepeatable: false });
    const failure = await request.then(
      () => null,
      (error: unknown) => error,
    );
    // A run whose answer is lost may have begun. Then it must go on.
    const state = failure === null ? 'running' : await this.#readState();
    this.#isAbandoned &&= state === 'ready';
    this.#isRunning = state !== 'ready' && state !== null;
    if (state === null)
      this.context.note(`The import ${this.importId} may run; see signpost import --resume ${this.importId}.`);
    if (!this.#isRunning || failure instanceof Interrupted) throw failure;
  }

  /** Returns null if the service does not say the state. */
  async #readState(): Promise<Import['state'] | null> {
    const { client, send } = this.#reachable;
    const route = '/projects/{projectId}/imports/{importId}';
    try {
      return (await send(() => client.GET(route, { params: this.#params }))).data.state;
    } catch {
      return null;
    }
  }

  /** The connection for what must be done also after an interruption. */
  get #reachable(): Connection {
    return this.context.io.signal.aborted ? this.service.afterInterruption() : this.service;
  }

  /** Prints the result, and saves the report. */
  async #finish(job: Import, title: string): Promise<ExitCode> {
    const { context, service } = this;
    context.progress.end();
    const rows = await readFaultyRows(service, job);
    const report = context.args.text('report');
    if (context.isJson) context.printJson({ data: job, problems: rows });
    else printSummary(context, title, job, rows);
    // The result is printed first, because the file may be impossible to write.
    if (report !== undefined && hasRows(job)) await saveReport(context, service, this.importId, report);
    if (report !== undefined && !hasRows(job))
      context.note(`The service has removed the rows; ${report} was not written.`);
    if (job.state === 'failed') throw new Failure(`The import failed: ${job.failure ?? 'the service gives no reason'}`);
    if (job.state === 'cancelled') throw new Failure('The import was cancelled.');
    return job.counts.refused + job.counts.conflict > 0 ? exitCodes.partial : exitCodes.done;
  }

  async #cancelIfAbandoned(): Promise<void> {
    if (!this.#isAbandoned) return;
    const { client, send } = this.#reachable;
    const route = '/projects/{projectId}/imports/{importId}/cancel';
    try {
      await send(() => client.POST(route, { params: this.#params }), { isRepeatable: false });
    } catch {
      this.context.note(`The import ${this.importId} could not be cancelled; cancel it by the API or in the console.`);
    }
  }
}
