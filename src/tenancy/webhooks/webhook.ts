import { defaultsOf, type Properties } from '../../shared/field-table';
import { type WebhookFields, webhookFields } from './webhook-fields';

/** Of one account. */
export const maxWebhooks = 20;

/** Days without a success after which the service disables an endpoint. */
export const disabledAfterDays = 5;

/** An endpoint that gets events. */
export interface Webhook extends Properties<WebhookFields> {
  readonly id: string;
  readonly accountId: string;
  /** When the service disabled it; null if it did not. */
  readonly disabledAt: Date | null;
  /** First failed attempt since the last success; null if the last attempt succeeded. */
  readonly failingSince: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface WebhookSecrets {
  sealedSecret: Buffer;
  formerSecret: Buffer | null;
  formerUntil: Date | null;
}

export type WebhookValues = Pick<Webhook, 'url'> & Partial<Properties<WebhookFields>>;
export type WebhookChanges = Partial<Properties<WebhookFields>>;

const defaults = defaultsOf(webhookFields) as Omit<Properties<WebhookFields>, 'url'>;

export const withDefaults = (values: WebhookValues): Properties<WebhookFields> => ({ ...defaults, ...values });
