import type { Plan } from '../../tenancy/accounts/plan';
import { NotFound } from '../../shared/domain-error';
import { requireFound } from '../../shared/require-found';
import { newId } from '../../shared/id';
import { InvalidInput, type Problem } from '../../shared/problem';
import type { Page, PageRequest } from '../../shared/page';
import { type Precondition, updateIfUnchanged } from '../../shared/precondition';
import type { UnitOfWork } from '../../shared/unit-of-work';
import type { Project } from '../projects/project';
import type { AppLimit } from './app-limit';
import { type AssociationFileFormat, fileBytes, maxFileBytes } from '../association-files/association-file';
import type { MobileApp, MobileAppFields, NewMobileApp } from './mobile-app';
import { AssociationFileFull } from './mobile-app.errors';
import type { MobileAppRepository } from './mobile-app.repository';

/** Implements the use cases of iOS and Android apps. */
export abstract class MobileAppsService<App extends MobileApp, SortKey extends string> {
  /** @param appName the name of the resource in messages */
  constructor(
    private readonly apps: MobileAppRepository<App, SortKey>,
    private readonly limit: AppLimit,
    private readonly unitOfWork: UnitOfWork,
    private readonly file: AssociationFileFormat<App>,
    private readonly appName: string,
  ) {}

  list(project: Project, request: PageRequest<SortKey>): Promise<Page<App>> {
    return this.apps.list(project.id, request);
  }

  /** @throws InvalidInput, NotFound, LimitReached, AssociationFileFull, BundleIdExists, PackageNameExists */
  create(project: Project, plan: Plan, fields: MobileAppFields<App>): Promise<App> {
    this.assertValid(fields, fields);
    const app = { ...fields, id: newId(), projectId: project.id } as unknown as NewMobileApp<App>;
    return this.unitOfWork.run(async () => {
      await this.limit.reserve(project.id, plan);
      await this.assertFileFits(project, plan, (apps) => [...apps, app as unknown as App]);
      return this.apps.insert(app);
    });
  }

  /** @throws NotFound */
  async get(project: Project, id: string): Promise<App> {
    return requireFound(await this.apps.find(project.id, id), this.appName);
  }

  /** @throws InvalidInput, NotFound, AssociationFileFull, BundleIdExists, PackageNameExists, and what the precondition throws */
  update(
    project: Project,
    plan: Plan,
    id: string,
    changes: Partial<MobileAppFields<App>>,
    precondition?: Precondition<App>,
  ): Promise<App> {
    const write = async () => requireFound(await this.apps.update(project.id, id, changes), this.appName);
    if (!this.file.fields.some((field) => field in changes)) return this.change(project, id, precondition, write);
    return this.unitOfWork.run(async () => {
      await this.limit.lock(project.id);
      return this.change(project, id, precondition, async () => {
        await this.assertFileFits(project, plan, (apps) =>
          apps.map((app) => {
            if (app.id !== id) return app;
            const changed = { ...app, ...changes };
            this.assertValid(changed, changes);
            return changed;
          }),
        );
        return write();
      });
    });
  }

  /** @throws NotFound, AppReferenced, and what the precondition throws */
  delete(project: Project, id: string, precondition?: Precondition<App>): Promise<void> {
    return this.change(project, id, precondition, async () => {
      if (!(await this.apps.delete(project.id, id))) throw new NotFound(this.appName);
    });
  }

  /** Returns the problems of changed fields that depend on other fields. */
  protected problemsAcrossFields(_app: MobileAppFields<App>, _changes: Partial<MobileAppFields<App>>): Problem[] {
    return [];
  }

  private assertValid(app: MobileAppFields<App>, changes: Partial<MobileAppFields<App>>): void {
    const problems = this.problemsAcrossFields(app, changes);
    if (problems.length > 0) throw InvalidInput.because(problems);
  }

  /**
   * Asserts that a change of locked apps does not push the association file over its limit. A file that is larger already, because
   * the limit is newer, may shrink.
   * @throws AssociationFileFull
   */
  private async assertFileFits(project: Project, plan: Plan, change: (apps: App[]) => App[]): Promise<void> {
    const apps = await this.apps.all(project.id);
    const needed = fileBytes(this.file, change(apps));
    if (needed <= maxFileBytes) return;
    const used = fileBytes(this.file, apps);
    if (needed > used) throw new AssociationFileFull(this.file.name, { limit: maxFileBytes, used, needed, plan });
  }

  private change<R>(
    project: Project,
    id: string,
    precondition: Precondition<App> | undefined,
    change: () => Promise<R>,
  ): Promise<R> {
    const find = async () => requireFound(await this.apps.findForUpdate(project.id, id), this.appName);
    return updateIfUnchanged(this.unitOfWork, precondition, find, change);
  }
}
