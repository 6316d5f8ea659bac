import { type CanActivate, type ExecutionContext, Inject, Injectable, type Provider } from '@nestjs/common';
import { APP_GUARD, Reflector } from '@nestjs/core';
import { normalizeIp, ThrottlerStorage } from '@nestjs/throttler';
import type { Response } from 'express';
import { AccessDenied, FeatureNotInPlan } from '../accounts/account.errors';
import type { Caller } from '../accounts/caller';
import { type Feature, planIncludes } from '../accounts/plan';
import { ApiKeyAuthenticator } from '../api-keys/api-key-authenticator';
import { TokenAuthenticator } from '../identity-provider/token-authenticator';
import { identityDigest } from '../identity-provider/identity';
import { TokenRefused } from '../identity-provider/token-verifier';
import { ProjectCache } from '../projects/project-cache';
import { ProjectRepository } from '../projects/project.repository';
import { Clock } from '../../shared/clock';
import { NotFound } from '../../shared/domain-error';
import { parseId } from '../../shared/id';
import { AuthRequired, Unauthorized } from '../kit/http.errors';
import { RequestPacer } from '../../platform/http/request-pacer';
import { currentHolder } from '../../platform/postgres/deadline';
import { countRequest, RateLimitSettings } from '../../platform/rate-limit/rate-limit';
import { BodyParserGuard } from './body-parser.guard';
import { type ApiRequest, apiRequestOf } from './api-request';
import { publicRoute, readsCurrentProject, signedInOnly, skipsRateLimit } from '../kit/route-markers';
import { requiredFeature } from '../accounts/requires-feature.decorator';

/** Identifies the caller. It refuses nobody, because every request is counted first. */
@Injectable()
class AuthenticationGuard implements CanActivate {
  constructor(
    private readonly authenticator: ApiKeyAuthenticator,
    private readonly tokenAuthenticator: TokenAuthenticator,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = apiRequestOf(context);
    const [, secret] = /^Bearer +(\S+)$/i.exec(onlyAuthorization(request)) ?? [];
    if (secret === undefined) return true;
    const digest = this.authenticator.digest(secret);
    if (digest === null) await this.identifyUser(request, secret);
    else await this.identify(request, `key:${digest}`, this.authenticator.findCaller(digest));
    return true;
  }

  private async identifyUser(request: ApiRequest, token: string): Promise<void> {
    try {
      const identity = await this.tokenAuthenticator.verifyToken(token);
      if (identity === null) return;
      await this.identify(request, `user:${identityDigest(identity)}`, this.tokenAuthenticator.provisionUser(identity));
      if (!request.rateLimitKey) request.tokenRefusal = 'unknown account';
    } catch (error) {
      if (!(error instanceof TokenRefused)) throw error;
      request.tokenRefusal = error.message;
    }
  }

  /** Leaves an unknown caller's request to be counted by address; if the look-up fails, it is counted as the caller's. */
  private async identify(request: ApiRequest, rateLimitKey: string, lookUp: Promise<Caller | null>): Promise<void> {
    try {
      const caller = await lookUp;
      if (!caller) return;
      Object.assign(request, { caller, rateLimitKey });
      const holder = currentHolder();
      if (holder) holder.key = `account:${caller.accountId}`;
    } catch (error) {
      Object.assign(request, { callerLookupError: error, rateLimitKey });
    }
  }
}

/** Ignores several Authorization fields, because Node keeps the first and a proxy may have read another. */
function onlyAuthorization({ headers, rawHeaders }: ApiRequest): string {
  const fields = rawHeaders.filter((name, at) => at % 2 === 0 && /^authorization$/i.test(name));
  return fields.length === 1 ? (headers.authorization ?? '') : '';
}

/** Counts the request by its API key, its signed-in user or its address (docs/decisions/0025-rate-limit-guard.md). */
@Injectable()
class RateLimitGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    @Inject(ThrottlerStorage) private readonly storage: ThrottlerStorage,
    private readonly settings: RateLimitSettings,
    private readonly clock: Clock,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.reflector.get(skipsRateLimit, context.getClass())) return true;
    const request = apiRequestOf(context);
    const response = context.switchToHttp().getResponse<Response>();
    const tracker = request.rateLimitKey ?? `address:${normalizeIp(request.ip ?? '')}`;
    const limit = tracker.startsWith('user:') ? this.settings.perMinuteOfPerson : this.settings.perMinute;
    await countRequest(this.storage, tracker, limit, () => this.clock.now(), response);
    return true;
  }
}

/** Requires a caller unless the route is `@Public()`, and a signed-in user if it is `@SignedInOnly()`. */
@Injectable()
class AuthenticatedGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const marked = (marker: string) =>
      this.reflector.getAllAndOverride<boolean>(marker, [context.getHandler(), context.getClass()]);
    if (marked(publicRoute)) return true;
    const { caller, callerLookupError } = apiRequestOf(context);
    if (!caller) throw callerLookupError ?? new Unauthorized();
    if (caller.apiKeyId !== null && marked(signedInOnly)) throw new AuthRequired();
    return true;
  }
}

@Injectable()
class PlanGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const feature = this.reflector.get<Feature | undefined>(requiredFeature, context.getHandler());
    const plan = apiRequestOf(context).caller?.plan;
    if (feature && plan && !planIncludes(plan, feature)) throw new FeatureNotInPlan(feature, plan);
    return true;
  }
}

/** Requires that the project in the path exists and belongs to the caller, before the body is read. */
@Injectable()
class ProjectOwnerGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly projects: ProjectRepository,
    private readonly cache: ProjectCache,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = apiRequestOf(context);
    const given = request.params['projectId'];
    if (typeof given !== 'string' || !request.caller) return true;
    const id = parseId(given);
    const source = this.reflector.get(readsCurrentProject, context.getClass()) ? this.projects : this.cache;
    const project = id && (await source.find(id));
    if (!project) throw new NotFound('Project');
    if (project.accountId !== request.caller.accountId) throw new AccessDenied('The project');
    request.project = project;
    return true;
  }
}

/** Limits a burst again, because requests that wait for one look-up of their caller and project go on together. */
@Injectable()
class PacingGuard implements CanActivate {
  constructor(private readonly pacer: RequestPacer) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const { caller } = apiRequestOf(context);
    if (!caller || this.pacer.tryTake()) return true;
    return new Promise((resolve) => this.pacer.hold(caller.accountId, () => resolve(true)));
  }
}

/** Lists the guards in the order of the contract (docs/contract.md, “Order of checks”). Nest runs global guards in this order. */
export const guardsInOrder: Provider[] = [
  AuthenticationGuard,
  RateLimitGuard,
  AuthenticatedGuard,
  PlanGuard,
  ProjectOwnerGuard,
  PacingGuard,
  BodyParserGuard,
].map((guard) => ({ provide: APP_GUARD, useClass: guard }));
