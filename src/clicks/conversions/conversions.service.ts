import { Injectable } from '@nestjs/common';
import type { Project } from '../../links/projects/project';
import { InvalidInput } from '../../shared/problem';
import type { Caller } from '../../tenancy/accounts/caller';
import type { Conversion, ConversionOutcome, SentConversion } from './conversion';
import { PgConversionRepository } from './pg-conversion.repository';

@Injectable()
export class ConversionsService {
  constructor(private readonly conversions: PgConversionRepository) {}

  /** Counts the valid conversions. Returns all, with the errors of those that the caller may not send. */
  async send(
    { id }: Project,
    { rights }: Caller,
    sent: SentConversion[],
  ): Promise<{ read: SentConversion[]; outcomes: ConversionOutcome[] }> {
    const trusted = rights.publishable === null;
    const read = sent.map((one) =>
      'error' in one || trusted || one.saleKey === null ? one : { error: refundRefused() },
    );
    const valid = read.filter((one): one is Conversion => !('error' in one));
    const counted = (await this.conversions.record(id, trusted, valid)).values();
    return { read, outcomes: read.map((one) => ('error' in one ? 'invalid' : counted.next().value!)) };
  }
}

const refundRefused = () =>
  InvalidInput.asAWhole('too_small', 'value must not be negative, because a publishable key cannot send refunds', [
    'value',
  ]);
