import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Log } from '../../platform/observability/log';
import { UnitOfWork } from '../../shared/unit-of-work';
import { QuotaReached } from '../../tenancy/accounts/account.errors';
import { AccountRepository } from '../../tenancy/accounts/account.repository';
import { ImportApiClient, type ListRequest, type ListStep, ReadLater } from '../apis/import-api-client';
import { ImportApiFailure } from '../apis/import-api.errors';
import { importApis } from '../apis/import-apis';
import { faultSign } from '../files/row-record';
import type { Import, ImportFailure } from '../model/import';
import { ImportIntakeService } from '../model/import-intake.service';
import { sliceMs } from '../model/pg-import-queue';
import { TypeormImportRepository } from '../model/typeorm-import.repository';
import { SecretSeal } from '../../tenancy/api-keys/secret-seal';
import type { SourceRecord } from '../sources/import-source';
import { ConcurrencyLimits, TooManyAtOnce } from '../../api-kit/kit/concurrency-limits';
import type { Project } from '../../links/projects/project';
import { ProjectRepository } from '../../links/projects/project.repository';
import { maxFileRows } from './import-batch.service';

/** The longest time that a list may take. One of 1,000,000 links of Bitly takes seven hours. */
const maxListMs = 24 * 3_600_000;

/** Lists that a process reads at once for an account. The queue limits those of all. */
export const maxAccountLists = 2;

const placeSeconds = 1;

/** Reads lists of other systems into files of imports, a part at a time. A part that is lost with its process is read again. */
@Injectable()
export class ListReaderService {
  readonly #limits = new ConcurrencyLimits(
    { ofAccount: maxAccountLists, ofProcess: Infinity },
    () => new TooManyAtOnce(placeSeconds, 'Too many lists'),
  );
  readonly #stopped = new AbortController();

  constructor(
    private readonly client: ImportApiClient,
    private readonly imports: TypeormImportRepository,
    private readonly intake: ImportIntakeService,
    private readonly seal: SecretSeal,
    private readonly projects: ProjectRepository,
    private readonly accounts: AccountRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly log: Log,
  ) {}

  stop(): void {
    this.#stopped.abort();
  }

  /** Reads pages for some seconds. Returns the seconds until the next part can be read; null if the list has ended. */
  async readList(importId: string): Promise<number | null> {
    const place = await this.imports.findPlace(importId);
    const project = place && (await this.projects.find(place.projectId));
    if (!project) return null;
    try {
      return await this.#limits.run(project.accountId, () => this.#readPages(project, importId));
    } catch (error) {
      if (error instanceof TooManyAtOnce) return placeSeconds;
      throw error;
    }
  }

  async #readPages(project: Project, importId: string): Promise<number | null> {
    const endsAt = performance.now() + sliceMs;
    while (performance.now() < endsAt) {
      const job = await this.imports.find(project.id, importId);
      if (job?.state !== 'uploading') return null;
      const list = this.#requestOf(job);
      try {
        if (!list)
          throw new ImportApiFailure(
            'interrupted',
            'The operator has changed the key that protects tokens; send the request again',
          );
        if (job.updatedAt.getTime() - job.createdAt.getTime() > maxListMs)
          throw new ImportApiFailure(
            'list_too_large',
            'The list has taken longer than a day; choose a part of it, or import files',
          );
        const step = await this.client.readPage(list, job.listProgress, this.#stopped.signal);
        const hasMore = await this.#ifCurrent(project, job, (current) => this.#store(project, current, list, step));
        if (hasMore !== true) return hasMore === false ? null : 0;
      } catch (error) {
        if (error instanceof ReadLater) {
          const { afterSeconds, progress: listProgress } = error;
          await this.#ifCurrent(project, job, (current) => this.imports.update(current, { listProgress }));
          return afterSeconds;
        }
        if (this.#stopped.signal.aborted) return 0;
        const failure = failureOf(error);
        if (!failure) throw error;
        this.log.warn(`a list was not imported: ${importId}: ${failure.code}`);
        const end = (current: Import) => this.imports.end(current, failure).then(() => true);
        return (await this.#ifCurrent(project, job, end)) ? null : 0;
      }
    }
    return 0;
  }

  /**
   * Runs the change in a transaction, and returns its result. Returns null, and changes nothing, if the list was read on meanwhile: the
   * queue gives a job whose process is slow to another one.
   */
  #ifCurrent<T>(project: Project, read: Import, change: (current: Import) => Promise<T>): Promise<T | null> {
    return this.unitOfWork.run(async () => {
      const current = await this.imports.findForUpdate(project.id, read.id);
      const isCurrent = current?.state === 'uploading' && isDeepStrictEqual(current.listProgress, read.listProgress);
      return isCurrent ? change(current) : null;
    });
  }

  /** Stores the records, and where the list is read on. Returns whether the list has more. */
  async #store(project: Project, job: Import, list: ListRequest, { records, progress }: ListStep): Promise<boolean> {
    const bytes = Buffer.from(records.map((record) => lineOf(record, list.token)).join(''));
    const fileRows = job.fileRows + records.length;
    if (fileRows > maxFileRows)
      throw new ImportApiFailure(
        'list_too_large',
        `${list.api.name} lists more than 1,000,000 links; choose a part, or import files`,
      );
    const account = await this.accounts.find(project.accountId);
    await this.intake.append(job, project, account!.plan, bytes);
    await this.imports.update(job, { fileRows, listProgress: progress });
    if (progress !== null) return true;
    if (fileRows === 0)
      throw new ImportApiFailure('empty_list', `${list.api.name} lists no links for this token; check both`);
    await this.intake.close(job, { kind: 'lines', start: 0 }, []);
    return false;
  }

  #requestOf({ id, source, list, sealedToken }: Import): ListRequest | null {
    const token = sealedToken && this.seal.open(sealedToken, id);
    return token === null ? null : { api: importApis.get(source)!, token, url: list!.url, choice: list!.choice };
  }
}

/** Returns the failure of the import; null if another attempt may succeed. */
function failureOf(error: unknown): ImportFailure | null {
  if (error instanceof QuotaReached) return { code: 'quota_reached', message: error.message };
  if (!(error instanceof ImportApiFailure)) return null;
  return { code: error.fault, message: `${error.message}. Nothing was created` };
}

/** Writes a record as a line. A record with the token is left out, because rows are stored. */
function lineOf(record: SourceRecord, token: string): string {
  // Null holds nothing, and lists of APIs are full of it.
  const present = Object.entries(record).filter(([, value]) => value !== null);
  const text = JSON.stringify(Object.fromEntries(present));
  const hasToken = text.includes(JSON.stringify(token).slice(1, -1));
  return `${hasToken ? `${faultSign}The row contains the token, which is not stored` : text}\n`;
}
