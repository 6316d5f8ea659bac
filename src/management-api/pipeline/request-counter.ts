import { type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { ThrottlerStorage } from '@nestjs/throttler';
import { responseOf } from '../../api-kit/kit/request';
import { clientNetworkOf } from '../../platform/http/network';
import { countRequest, RateLimitSettings, requestsOf } from '../../platform/rate-limit/rate-limit';
import { Clock } from '../../shared/clock';
import { apiRequestOf } from './api-request';

/** Requests of a publishable key from one network. */
export const publishablePerMinute = 20;

/** Counts requests by API key, signed-in user or address (docs/decisions/0010-rate-limits-and-retries.md). */
@Injectable()
export class RequestCounter {
  constructor(
    @Inject(ThrottlerStorage) private readonly storage: ThrottlerStorage,
    private readonly settings: RateLimitSettings,
    private readonly clock: Clock,
  ) {}

  /** @throws RateLimited if the request exceeds the limit */
  count(context: ExecutionContext): Promise<void> {
    const tracker = trackerOf(context);
    return countRequest(this.storage, tracker, this.#limitOf(tracker), () => this.clock.now(), responseOf(context));
  }

  /** Counts a request again that has as many operations as several. */
  async countOperations(context: ExecutionContext, operations: number): Promise<void> {
    for (let left = requestsOf(operations, this.#limitOf(trackerOf(context))); left > 1; left--)
      await this.count(context);
  }

  #limitOf(tracker: string): number {
    if (tracker.startsWith('publishable:')) return publishablePerMinute;
    return tracker.startsWith('user:') ? this.settings.perMinuteOfPerson : this.settings.perMinute;
  }
}

function trackerOf(context: ExecutionContext): string {
  const request = apiRequestOf(context);
  return request.rateLimitKey ?? `address:${clientNetworkOf(request.ip, request.socket.remoteAddress)}`;
}
