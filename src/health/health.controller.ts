import { Controller, Get, Header, Injectable, Module } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { DataSource } from 'typeorm';
import { DatabaseUnavailable } from '../database/database-error';
import { withDeadline } from '../database/deadline';
import { AnyQuery, Public, NotCounted } from '../http/route-markers';

/** Milliseconds: a probe that waits longer than this for the database has its answer. */
const probeDeadline = 2000;

@Injectable()
export class Readiness {
  draining = false;

  constructor(private readonly dataSource: DataSource) {}

  /** @throws DatabaseUnavailable when the database does not answer, or the process is on its way out. */
  async check(): Promise<void> {
    if (this.draining) throw new DatabaseUnavailable(new Error('draining'));
    await withDeadline(probeDeadline, () => this.dataSource.query('SELECT 1'));
  }
}

@ApiExcludeController()
@Public()
@AnyQuery()
@NotCounted()
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  /** The process runs and answers. It looks at nothing else: a restart would mend nothing else. */
  @Get('live')
  @Header('Cache-Control', 'no-store')
  live() {
    return { data: { status: 'live' } };
  }

  @Get('ready')
  @Header('Cache-Control', 'no-store')
  async ready() {
    await this.readiness.check();
    return { data: { status: 'ready' } };
  }
}

@Module({ controllers: [HealthController], providers: [Readiness], exports: [Readiness] })
export class HealthModule {}
