import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { responseOf } from '../../api-kit/kit/request';
import { skipsRateLimit } from '../../api-kit/kit/route-markers';
import { addressOf, clientNetworkOf } from '../../platform/http/network';
import { currentTenant, setActorOfRequest } from '../../platform/postgres/request-context';
import type { Caller } from '../../tenancy/accounts/caller';
import { ApiKeyAuthenticator } from '../../tenancy/api-keys/api-key-authenticator';
import { identityDigest } from '../../tenancy/identity-provider/identity';
import { TokenAuthenticator } from '../../tenancy/identity-provider/token-authenticator';
import { TokenRefused } from '../../tenancy/identity-provider/token-verifier';
import { AccessJournal } from '../../tenancy/journal/access-journal';
import { actorOfRequest } from '../../tenancy/journal/actor-of-request';
import { JournalSettings } from '../../tenancy/journal/journal-settings';
import { apiRequestOf } from './api-request';
import { bearerSecretOf } from './bearer-secret';
import { permitOrigin } from './cors';

/** Identifies the caller. It refuses nobody, because every request is counted first. */
@Injectable()
export class AuthenticationGuard implements CanActivate {
  constructor(
    private readonly authenticator: ApiKeyAuthenticator,
    private readonly tokenAuthenticator: TokenAuthenticator,
    private readonly reflector: Reflector,
    private readonly journalSettings: JournalSettings,
    private readonly access: AccessJournal,
  ) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    // Health and the console's files must not wait for the database, and nobody is counted there.
    if (this.reflector.get(skipsRateLimit, context.getClass())) return true;
    const request = apiRequestOf(context);
    const secret = bearerSecretOf(request);
    if (secret === undefined) return true;
    const digest = this.authenticator.digest(secret);
    if (digest === null) return this.#identifyUser(context, secret);
    request.isStillAccepted = async () => (await this.authenticator.findCaller(digest)) !== null;
    return this.#identify(context, `key:${digest}`, this.authenticator.findCaller(digest));
  }

  async #identifyUser(context: ExecutionContext, token: string): Promise<true> {
    const request = apiRequestOf(context);
    try {
      const identity = await this.tokenAuthenticator.verifyToken(token);
      if (identity === null) return true;
      const user = this.tokenAuthenticator.provisionUser(identity);
      await this.#identify(context, `user:${identityDigest(identity)}`, user);
      if (!request.rateLimitKey) request.tokenRefusal = 'unknown account';
    } catch (error) {
      if (!(error instanceof TokenRefused)) throw error;
      request.tokenRefusal = error.message;
    }
    return true;
  }

  /** Leaves an unknown caller's request to be counted by address; if the look-up fails, it is counted as the caller's. */
  #identify(
    context: ExecutionContext,
    rateLimitKey: string,
    lookUp: Caller | null | Promise<Caller | null>,
  ): true | Promise<true> {
    const fail = (callerLookupError: unknown): true => {
      Object.assign(apiRequestOf(context), { callerLookupError, rateLimitKey });
      return true;
    };
    if (lookUp instanceof Promise)
      return lookUp.then((caller) => this.#accept(context, rateLimitKey, caller)).then(() => true as const, fail);
    return this.#accept(context, rateLimitKey, lookUp)?.then(() => true as const, fail) ?? true;
  }

  /** Returns a promise if the first use of the caller has to be recorded. */
  #accept(context: ExecutionContext, rateLimitKey: string, caller: Caller | null): Promise<void> | undefined {
    if (!caller) return undefined;
    const request = apiRequestOf(context);
    const { ip, socket, requestId } = request;
    Object.assign(request, { caller, rateLimitKey });
    const { publishable } = caller.rights;
    if (publishable) {
      // Visitors of pages share the key, so each network has its own limit.
      request.rateLimitKey = `publishable:${rateLimitKey}:${clientNetworkOf(ip, socket.remoteAddress)}`;
      const { origin = '' } = request.headers;
      if (publishable.origins.has(origin)) permitOrigin(responseOf(context), origin);
    }
    const address = addressOf(ip, socket.remoteAddress);
    const actor = actorOfRequest(caller, { address, requestId }, this.journalSettings);
    setActorOfRequest(actor);
    const tenant = currentTenant();
    if (tenant) tenant.key = `account:${caller.accountId}`;
    return this.access.recordUse(caller, actor.address);
  }
}
