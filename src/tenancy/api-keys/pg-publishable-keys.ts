import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { ForbiddenField } from '../../shared/problem';
import { LimitReached } from '../accounts/account.errors';
import type { Caller } from '../accounts/caller';
import { defaultLinksPerDay } from './api-key-fields';

/** Fields that pages of others may set. Paths, previews, tags and ids belong to the team. */
const publishableFields = [
  'name',
  'desktop_url',
  'ios_app_id',
  'android_app_id',
  'ios_fallback_url',
  'android_fallback_url',
  'referrer_params',
  'app_data',
  'dynamic_link_id',
];

/** Limits what publishable keys create, because everybody can read them. */
@Injectable()
export class PgPublishableKeys {
  constructor(private readonly context: TransactionContext) {}

  /**
   * Runs a creation. That of a publishable key counts for its limit of the day.
   * @param body as sent, by the fields of the API
   * @throws ForbiddenField, LimitReached
   */
  create<R>({ rights, apiKeyId, plan }: Caller, body: object, create: () => Promise<R>): Promise<R> {
    const { publishable } = rights;
    if (publishable === null) return create();
    const foreign = Object.entries(body).filter(
      ([field, value]) => value !== undefined && !publishableFields.includes(field),
    );
    if (foreign.length > 0) throw new ForbiddenField(foreign.map(([field]) => field));
    const limit = publishable.linksPerDay ?? defaultLinksPerDay;
    return this.context.run(async () => {
      // The row stays locked until the link is stored, so the limit is exact.
      const [reserved] = await this.context.write<{ created: number }>(
        `INSERT INTO api_key_days AS stored (api_key_id, day, created)
         VALUES ($1, (now() AT TIME ZONE 'UTC')::date, 1)
         ON CONFLICT (api_key_id) DO UPDATE SET day = excluded.day,
           created = CASE WHEN stored.day = excluded.day THEN stored.created + 1 ELSE 1 END
         WHERE stored.day <> excluded.day OR stored.created < $2
         RETURNING created`,
        [apiKeyId, limit],
      );
      if (!reserved)
        throw new LimitReached('links of the key in a day', { limit, used: limit, plan }, 'try again tomorrow (UTC)');
      return create();
    });
  }
}
