import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { UnitOfWork } from '../shared/unit-of-work';

/** What repositories talk to: the transaction of the unit of work they run in, or the pool where there is none. */
@Injectable()
export class Session extends UnitOfWork {
  readonly #transactions = new AsyncLocalStorage<EntityManager>();

  constructor(private readonly dataSource: DataSource) {
    super();
  }

  get manager(): EntityManager {
    return this.#transactions.getStore() ?? this.dataSource.manager;
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#transactions.getStore()) return work();
    return this.dataSource.transaction((manager) => this.#transactions.run(manager, work));
  }
}
