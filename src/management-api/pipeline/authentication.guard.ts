import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { responseOf } from '../../api-kit/kit/request';
import { skipsRateLimit } from '../../api-kit/kit/route-markers';
import { addressOf, clientNetworkOf } from '../../platform/http/network';
import { currentTenant, setActorOfRequest } from '../../platform/postgres/deadline';
import type { Caller } from '../../tenancy/accounts/caller';
import { ApiKeyAuthenticator } from '../../tenancy/api-keys/api-key-authenticator';
import { identityDigest } from '../../tenancy/identity-provider/identity';
import { TokenAuthenticator } from '../../tenancy/identity-provider/token-authenticator';
import { TokenRefused } from '../../tenancy/identity-provider/token-verifier';
import { AccessJournal } from '../../tenancy/journal/access-journal';
import { actorOfRequest } from '../../tenancy/journal/actor-of-request';
import { JournalSettings } from '../../tenancy/journal/journal-settings';
import { type ApiRequest, apiRequestOf } from './api-request';
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

  async canActivate(context: ExecutionContext): Promise<boolean> {
    // Health and the console's files must not wait for the database, and nobody is counted there.
    if (this.reflector.get(skipsRateLimit, context.getClass())) return true;
    const request = apiRequestOf(context);
    const secret = bearerSecretOf(request);
    if (secret === undefined) return true;
    const digest = this.authenticator.digest(secret);
    if (digest === null) await this.#identifyUser(request, secret);
    else {
      request.isStillAccepted = async () => (await this.authenticator.findCaller(digest)) !== null;
      await this.#identify(request, `key:${digest}`, this.authenticator.findCaller(digest));
      const publishable = request.caller?.rights.publishable;
      if (publishable) {
        // Visitors of pages share the key, so each network has its own limit.
        request.rateLimitKey = `publishable:${digest}:${clientNetworkOf(request.ip, request.socket.remoteAddress)}`;
        const { origin = '' } = request.headers;
        if (publishable.origins.has(origin)) permitOrigin(responseOf(context), origin);
      }
    }
    return true;
  }

  async #identifyUser(request: ApiRequest, token: string): Promise<void> {
    try {
      const identity = await this.tokenAuthenticator.verifyToken(token);
      if (identity === null) return;
      await this.#identify(
        request,
        `user:${identityDigest(identity)}`,
        this.tokenAuthenticator.provisionUser(identity),
      );
      if (!request.rateLimitKey) request.tokenRefusal = 'unknown account';
    } catch (error) {
      if (!(error instanceof TokenRefused)) throw error;
      request.tokenRefusal = error.message;
    }
  }

  /** Leaves an unknown caller's request to be counted by address; if the look-up fails, it is counted as the caller's. */
  async #identify(request: ApiRequest, rateLimitKey: string, lookUp: Promise<Caller | null>): Promise<void> {
    try {
      const caller = await lookUp;
      if (!caller) return;
      Object.assign(request, { caller, rateLimitKey });
      const { ip, socket, requestId } = request;
      const address = addressOf(ip, socket.remoteAddress);
      const actor = actorOfRequest(caller, { address, requestId }, this.journalSettings);
      setActorOfRequest(actor);
      const tenant = currentTenant();
      if (tenant) tenant.key = `account:${caller.accountId}`;
      const recorded = this.access.recordUse(caller, actor.address);
      if (recorded) await recorded;
    } catch (error) {
      Object.assign(request, { callerLookupError: error, rateLimitKey });
    }
  }
}
