import { type CanActivate, type ExecutionContext, Inject, Injectable, type Provider } from '@nestjs/common';
import { APP_GUARD, Reflector } from '@nestjs/core';
import { ThrottlerGuard } from '@nestjs/throttler';
import type { Response } from 'express';
import { AccessDenied, FeatureNotInPlan } from '../accounts/account.errors';
import { type Feature, planIncludes } from '../accounts/plan';
import { Authenticator } from '../api-keys/authenticator';
import { ProjectRepository } from '../projects/project.repository';
import { Clock } from '../shared/clock';
import { NotFound } from '../shared/domain-error';
import { parseId } from '../shared/id';
import { Unauthorized } from './http.errors';
import { countRequest } from './rate-limit';
import { ReceiveBody } from './receive-body';
import { type ApiRequest, requestOf } from './request';
import { notCounted, publicRoute, requiredFeature } from './route-markers';

/** Finds out who calls. It refuses nobody, so that the request is counted first, whoever sent it. */
@Injectable()
class IdentifyCaller implements CanActivate {
  constructor(private readonly authenticator: Authenticator) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = requestOf(context);
    const [, secret] = /^Bearer +(\S+)$/i.exec(onlyAuthorization(request)) ?? [];
    const digest = secret === undefined ? null : this.authenticator.digest(secret);
    if (digest === null) return true;
    try {
      const caller = await this.authenticator.caller(digest);
      if (caller) Object.assign(request, { caller, keyDigest: digest });
    } catch (error) {
      Object.assign(request, { callerUnknown: error, keyDigest: digest });
    }
    return true;
  }
}

/** Of several Authorization fields Node keeps the first; a proxy on the way may have read another one: then none counts. */
function onlyAuthorization({ headers, rawHeaders }: ApiRequest): string {
  const fields = rawHeaders.filter((name, at) => at % 2 === 0 && /^authorization$/i.test(name));
  return fields.length === 1 ? (headers.authorization ?? '') : '';
}

/**
 * Counts the request, for its key or else for its address. The windows and their headers are ours (`FixedWindows`); Nest's guard brings the module's settings and the
 * storage. Its decorators for single routes are not read: every route counts the same.
 */
@Injectable()
class CountRequest extends ThrottlerGuard {
  @Inject(Clock)
  private readonly clock: Clock;

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.reflector.get(notCounted, context.getClass())) return true;
    const request = requestOf(context);
    const response = context.switchToHttp().getResponse<Response>();
    const tracker = request.keyDigest ? `key:${request.keyDigest}` : `address:${await this.getTracker(request)}`;
    const { limit } = this.throttlers[0] as { limit: number };
    await countRequest(this.storageService, tracker, limit, () => this.clock.now(), response);
    return true;
  }
}

/** Routes are closed unless they are marked `@Public()`. */
@Injectable()
class RequireCaller implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const open = this.reflector.getAllAndOverride<boolean>(publicRoute, [context.getHandler(), context.getClass()]);
    const request = requestOf(context);
    if (open || request.caller) return true;
    throw request.callerUnknown ?? new Unauthorized();
  }
}

@Injectable()
class RequireFeature implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const feature = this.reflector.get<Feature | undefined>(requiredFeature, context.getHandler());
    const plan = requestOf(context).caller?.plan;
    if (feature && plan && !planIncludes(plan, feature)) throw new FeatureNotInPlan(feature, plan);
    return true;
  }
}

/** The project named in the path exists and is the caller's, before anything else of the request is looked at. */
@Injectable()
class RequireOwnProject implements CanActivate {
  constructor(private readonly projects: ProjectRepository) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = requestOf(context);
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

/** The order is the contract's (DECISIONS, "Order of the checks"). Nest runs global guards as they are listed. */
export const guardsInOrder: Provider[] = [
  IdentifyCaller,
  CountRequest,
  RequireCaller,
  RequireFeature,
  RequireOwnProject,
  ReceiveBody,
].map((guard) => ({ provide: APP_GUARD, useClass: guard }));
