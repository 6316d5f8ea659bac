import { Injectable } from '@nestjs/common';
import { NotFound } from '../../shared/domain-error';
import type { Page } from '../../shared/page';
import { requireFound } from '../../shared/require-found';
import { UnitOfWork } from '../../shared/unit-of-work';
import type { Caller } from '../accounts/caller';
import { PgJournalRepository } from '../journal/pg-journal.repository';
import { MembersService } from '../members/members.service';
import type { ListedUser, UserRecord } from './user-record';
import { PgUserDataRepository } from './pg-user-data.repository';

/** Implements the rights of people on their data: access and erasure (Articles 15 and 17 of the GDPR). */
@Injectable()
export class UsersService {
  constructor(
    private readonly users: PgUserDataRepository,
    private readonly members: MembersService,
    private readonly journal: PgJournalRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  list(accountId: string, request: { page: number; limit: number }): Promise<Page<ListedUser>> {
    return this.users.list(accountId, request);
  }

  /**
   * Returns the data of a person. The journal gets an entry, because somebody reads personal data.
   * @throws NotFound
   */
  async export(accountId: string, id: string): Promise<UserRecord> {
    await this.journal.seal();
    const user = await this.requireUser(accountId, id);
    await this.journal.addEvent(accountId, null, 'user.exported', { user_id: id });
    return user;
  }

  /** @throws NotFound */
  async requireUser(accountId: string, id: string): Promise<UserRecord> {
    return requireFound(await this.users.find(accountId, id), 'User');
  }

  /**
   * Removes a person: user, identities, roles, and addresses in the journal. The id stays in entries as a pseudonym. API keys and
   * projects stay, because they belong to the account.
   * @throws NotFound, RoleRequired if the person is an owner and the caller is not, LastOwner
   */
  erase(caller: Pick<Caller, 'accountId' | 'rights'>, id: string): Promise<void> {
    return this.unitOfWork.run(async () => {
      await this.members.deleteOfUser(caller, id);
      if (!(await this.users.erase(caller.accountId, id))) throw new NotFound('User');
    });
  }
}
