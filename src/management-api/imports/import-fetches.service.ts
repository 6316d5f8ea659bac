import { Injectable } from '@nestjs/common';
import { NotFound } from '../../shared/domain-error';
import { ImportApiClient, type ListRequest } from '../import-apis/import-api-client';
import { ImportApiFailure, type ListFault } from '../import-apis/import-api.errors';
import { Log } from '../../platform/observability/log';
import { afterRequest, retried } from '../kit/long-requests';
import { FetchLimits } from './fetch-limits';
import { FileColumns } from '../import-files/file-columns';
import type { Import, ImportFailure } from '../import-model/import';
import { ImportIntake } from './import-intake.service';
import { ImportFileTooLarge, ImportNotInState } from '../import-model/import.errors';
import { ImportRepository } from '../import-model/import.repository';
import { ImportUpload } from '../import-work/import-upload.service';
import { listedRows } from './listed-rows';
import { ReceivedAnswers } from './received-answers';

/** The longest time that a list may take. One of 1,000,000 links of Bitly takes seven hours. */
const maxFetchMs = 24 * 3_600_000;

/** Waits between two signs that this process still reads the list. They also notice that the import was cancelled. */
export const heartbeat = { intervalMs: 5000 };

/** The time without a sign after which the process that reads a list counts as dead. */
export const maxSilenceMs = 120_000;

const sendAgain = 'send the request again, because the token is not stored. Nothing was created';

/** The failure of an import whose process has died. */
export const silentFailure: ImportFailure = {
  code: 'interrupted',
  message: `The process that read the list has ended; ${sendAgain}`,
};

/** Ends a fetch whose import is not open any more. */
class NotOpen extends Error {}

/** Reads lists of other systems in this process alone, because the token is in its memory and nowhere else. */
@Injectable()
export class ImportFetches {
  readonly #limits = new FetchLimits();
  readonly #running = new Map<string, { controller: AbortController; done: Promise<void> }>();

  constructor(
    private readonly client: ImportApiClient,
    private readonly imports: ImportRepository,
    private readonly intake: ImportIntake,
    private readonly upload: ImportUpload,
    private readonly log: Log,
  ) {}

  /**
   * Begins to read the list, and returns the import.
   * @param open stores the import
   * @throws TooManyAtOnce
   */
  async start(accountId: string, list: ListRequest, open: () => Promise<Import>): Promise<Import> {
    const leave = this.#limits.enter(accountId);
    try {
      const job = await open();
      const controller = new AbortController();
      const done = afterRequest(() => this.#run(job, list, controller)).finally(() => {
        this.#running.delete(job.id);
        leave();
      });
      this.#running.set(job.id, { controller, done });
      return job;
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Stops to read the list of an import that was cancelled. */
  abort(id: string): void {
    this.#running.get(id)?.controller.abort(new NotOpen());
  }

  /** Ends all imports whose lists this process reads. */
  async stop(): Promise<void> {
    const running = [...this.#running.values()];
    for (const { controller } of running)
      controller.abort(new ImportApiFailure('interrupted', `The process that read the list was stopped; ${sendAgain}`));
    await Promise.all(running.map(({ done }) => done));
  }

  async #run(job: Import, list: ListRequest, controller: AbortController): Promise<void> {
    const { signal } = controller;
    const tooSlow = new ImportApiFailure(
      'list_too_large',
      'The list has taken longer than a day; choose a part of it, or import files',
    );
    const limit = setTimeout(() => controller.abort(tooSlow), maxFetchMs).unref();
    const beat = setInterval(() => void this.#beat(job.id, controller), heartbeat.intervalMs).unref();
    try {
      const size = { bytes: 0 };
      const columns = new FileColumns();
      const received = new ReceivedAnswers(signal);
      const pages = this.client.pages(list, signal, (answer) => received.add(answer));
      const rows = listedRows(pages, list.token, size, columns);
      const stored = await this.upload.storeRows(job.id, rows, size, columns);
      if (stored.rows === 0)
        throw new ImportApiFailure('empty_list', `${list.api.name} lists no links for this token; check both`);
      signal.throwIfAborted();
      await this.intake.close(job.projectId, job.id, stored);
    } catch (error) {
      await this.#fail(job, list, error).catch(() => this.#warn(list, error));
    } finally {
      clearTimeout(limit);
      clearInterval(beat);
    }
  }

  async #beat(id: string, controller: AbortController): Promise<void> {
    try {
      if (!(await this.imports.touchUpload(id))) controller.abort(new NotOpen());
    } catch {
      // The next one may succeed. If none does, another process ends the import.
    }
  }

  async #fail(job: Import, list: ListRequest, error: unknown): Promise<void> {
    // The caller has cancelled the import, or the project has gone.
    if (error instanceof NotOpen || error instanceof ImportNotInState || error instanceof NotFound) return;
    await retried(() => this.imports.failUpload(job.id, this.#failureOf(list, error)));
  }

  #failureOf(list: ListRequest, error: unknown): ImportFailure {
    const nothingCreated = (code: ListFault, message: string): ImportFailure => ({
      code,
      message: message.endsWith('created') ? message : `${message}. Nothing was created`,
    });
    if (error instanceof ImportApiFailure) return nothingCreated(error.fault, error.message);
    if (error instanceof ImportFileTooLarge) {
      const message = `${list.api.name} lists more than 1,000,000 links; choose a part, or import files`;
      return nothingCreated('list_too_large', message);
    }
    this.#warn(list, error);
    return { code: 'interrupted', message: `The list could not be stored; ${sendAgain}` };
  }

  /** Logs the kind of the error alone, because a message could have parts of the request. */
  #warn({ api }: ListRequest, error: unknown): void {
    this.log.warn(`a list of ${api.name} was not imported: ${error instanceof Error ? error.name : typeof error}`);
  }
}
