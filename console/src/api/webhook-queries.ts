import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { WebhookDelivery } from 'signpost-client';
import { answerOf, api } from './client';

export const webhooksQuery = (page: number) =>
  queryOptions({
    queryKey: ['webhooks', page],
    queryFn: () => answerOf(api.GET('/account/webhooks', { params: { query: { page, limit: 25 } } })),
    placeholderData: keepPreviousData,
  });

const refreshMs = 5000;

/** Reads a page of deliveries, and again every few seconds, because attempts continue. */
export const deliveriesQuery = (webhookId: string, state: WebhookDelivery['state'] | null, page: number) =>
  queryOptions({
    queryKey: ['webhook-deliveries', webhookId, state, page],
    queryFn: () =>
      answerOf(
        api.GET('/account/webhooks/{webhookId}/deliveries', {
          params: { path: { webhookId }, query: { page, limit: 25, ...(state !== null && { state }) } },
        }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  });

export const deliveryQuery = (webhookId: string, deliveryId: string) =>
  queryOptions({
    queryKey: ['webhook-delivery', webhookId, deliveryId],
    queryFn: async () => {
      const params = { path: { webhookId, deliveryId } };
      return (await answerOf(api.GET('/account/webhooks/{webhookId}/deliveries/{deliveryId}', { params }))).data;
    },
  });
