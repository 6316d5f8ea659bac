import { entitySchema } from '../../platform/postgres/entity-schemas';
import { fieldColumns, timeColumns } from '../../platform/tables/field-columns';
import type { Webhook, WebhookSecrets } from './webhook';
import { webhookFields } from './webhook-fields';

export type WebhookRow = Webhook & WebhookSecrets;

export const WebhookSchema = entitySchema<WebhookRow>({
  name: 'Webhook',
  tableName: 'webhook_endpoints',
  columns: {
    id: { type: 'uuid', primary: true },
    accountId: { type: 'uuid', name: 'account_id' },
    ...fieldColumns(webhookFields),
    disabledAt: { type: 'timestamptz', name: 'disabled_at', nullable: true },
    failingSince: { type: 'timestamptz', name: 'failing_since', nullable: true },
    sealedSecret: { type: 'bytea', name: 'sealed_secret', select: false },
    formerSecret: { type: 'bytea', name: 'former_secret', nullable: true, select: false },
    formerUntil: { type: 'timestamptz', name: 'former_until', nullable: true, select: false },
    ...timeColumns,
  },
});
