import { type CanActivate, type ExecutionContext, Inject, Injectable, type Provider } from '@nestjs/common';
import { APP_GUARD, Reflector } from '@nestjs/core';
import { ThrottlerGuard } from '@nestjs/throttler';
import type { Response } from 'express';
import { AccessDenied, FeatureNotInPlan } from '../accounts/account.errors';
import type { Caller } from '../accounts/caller';
import { type Feature, planIncludes } from '../accounts/plan';
import { Authenticator } from '../api-keys/authenticator';
import { TokenAuthenticator } from '../identity-provider/token-authenticator';
import { identityDigest } from '../identity-provider/identity';
import { TokenRefused } from '../identity-provider/token-verifier';
import { ProjectRepository } from '../projects/project.repository';
import { Clock } from '../../shared/clock';
import { NotFound } from '../../shared/domain-error';
import { parseId } from '../../shared/id';
import { AuthRequired, Unauthorized } from '../kit/http.errors';
import { countRequest } from '../../platform/rate-limit/rate-limit';
import { BodyParserGuard } from './body-parser.guard';
import { type ApiRequest, apiRequestOf } from './api-request';
import { notCounted, publicRoute, signedInOnly } from '../kit/route-markers';
import { requiredFeature } from '../accounts/requires-feature.decorator';

/** Finds out who calls. It refuses nobody, so that the request is counted first, whoever sent it. */
@Injectable()
class IdentifyCaller implements CanActivate {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly tokenAuthenticator: TokenAuthenticator,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = apiRequestOf(context);
    const [, secret] = /^Bearer +(\S+)$/i.exec(onlyAuthorization(request)) ?? [];
    if (secret === undefined) return true;
    const digest = this.authenticator.digest(secret);
    if (digest === null) await this.identifyUser(request, secret);
    else await this.identify(request, `key:${digest}`, this.authenticator.caller(digest));
    return true;
  }

  private async identifyUser(request: ApiRequest, token: string): Promise<void> {
    try {
      const identity = await this.tokenAuthenticator.verifyToken(token);
      if (identity === null) return;
      await this.identify(request, `user:${identityDigest(identity)}`, this.tokenAuthenticator.provisionUser(identity));
      if (!request.countedBy) request.tokenRefused = 'unknown account';
    } catch (error) {
      if (!(error instanceof TokenRefused)) throw error;
      request.tokenRefused = error.message;
    }
  }

  /** An unknown caller's requests are counted by the address; those of one who cannot be looked up, as if he were known. */
  private async identify(request: ApiRequest, countedBy: string, lookUp: Promise<Caller | null>): Promise<void> {
    try {
      const caller = await lookUp;
      if (caller) Object.assign(request, { caller, countedBy });
    } catch (error) {
      Object.assign(request, { callerUnknown: error, countedBy });
    }
  }
}

/** Of several Authorization fields Node keeps the first; a proxy on the way may have read another one: then none counts. */
function onlyAuthorization({ headers, rawHeaders }: ApiRequest): string {
  const fields = rawHeaders.filter((name, at) => at % 2 === 0 && /^authorization$/i.test(name));
  return fields.length === 1 ? (headers.authorization ?? '') : '';
}

/**
 * Counts the request, for its key, else for the person who is signed in, else for its address. The windows and their headers
 * are ours (`InMemoryRateLimitStorage`); Nest's guard brings the module's settings and the storage. Its decorators for single routes are
 * not read: every route counts the same.
 */
@Injectable()
class CountRequest extends ThrottlerGuard {
  @Inject(Clock)
  private readonly clock: Clock;

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.reflector.get(notCounted, context.getClass())) return true;
    const request = apiRequestOf(context);
    const response = context.switchToHttp().getResponse<Response>();
    const tracker = request.countedBy ?? `address:${await this.getTracker(request)}`;
    const { limit } = this.throttlers[0] as { limit: number };
    await countRequest(this.storageService, tracker, limit, () => this.clock.now(), response);
    return true;
  }
}

/** Routes are closed unless they are marked `@Public()`, and some to API keys. */
@Injectable()
class RequireCaller implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const marked = (marker: string) =>
      this.reflector.getAllAndOverride<boolean>(marker, [context.getHandler(), context.getClass()]);
    if (marked(publicRoute)) return true;
    const { caller, callerUnknown } = apiRequestOf(context);
    if (!caller) throw callerUnknown ?? new Unauthorized();
    if (caller.apiKeyId !== null && marked(signedInOnly)) throw new AuthRequired();
    return true;
  }
}

@Injectable()
class RequireFeature implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const feature = this.reflector.get<Feature | undefined>(requiredFeature, context.getHandler());
    const plan = apiRequestOf(context).caller?.plan;
    if (feature && plan && !planIncludes(plan, feature)) throw new FeatureNotInPlan(feature, plan);
    return true;
  }
}

/** The project named in the path exists and is the caller's, before anything else of the request is looked at. */
@Injectable()
class RequireOwnProject implements CanActivate {
  constructor(private readonly projects: ProjectRepository) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = apiRequestOf(context);
    const given = request.params['projectId'];
    if (typeof given !== 'string' || !request.caller) return true;
    const id = parseId(given);
    const project = id && (await this.projects.find(id));
    if (!project) throw new NotFound('Project');
    if (project.accountId !== request.caller.accountId) throw new AccessDenied('The project');
    request.project = project;
    return true;
  }
}

/** The order is the contract's (docs/contract.md, “Order of checks”). Nest runs global guards as they are listed. */
export const guardsInOrder: Provider[] = [
  IdentifyCaller,
  CountRequest,
  RequireCaller,
  RequireFeature,
  RequireOwnProject,
  BodyParserGuard,
].map((guard) => ({ provide: APP_GUARD, useClass: guard }));
