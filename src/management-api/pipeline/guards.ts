import { type CanActivate, type ExecutionContext, Injectable, type Provider } from '@nestjs/common';
import { APP_GUARD, Reflector } from '@nestjs/core';
import { AccessDenied, FeatureNotInPlan } from '../../tenancy/accounts/account.errors';
import type { Stopped } from '../../tenancy/accounts/caller';
import { type Feature, planIncludes } from '../../tenancy/accounts/plan';
import type { Project } from '../../links/projects/project';
import { ProjectCache } from '../../links/projects/project-cache';
import { ProjectRepository } from '../../links/projects/project.repository';
import { NotFound } from '../../shared/domain-error';
import { parseId } from '../../shared/id';
import { AuthRequired, MethodNotAllowed, Unauthorized } from '../../api-kit/kit/http.errors';
import { RequestPacer } from '../../platform/http/request-pacer';
import { AuthenticationGuard } from './authentication.guard';
import { BodyParserGuard } from './body-parser.guard';
import { apiRequestOf } from './api-request';
import { operationsOfBody, readsCurrentProject, skipsRateLimit } from '../../api-kit/kit/route-markers';
import type { Policy } from '../../api-kit/policy/policy';
import { OutsideLimits } from '../../api-kit/policy/policy.errors';
import { assertPermitted } from '../../api-kit/policy/rights';
import { addressOf } from '../../platform/http/network';
import { RequestCounter } from './request-counter';
import { RouteTable } from './route-table';
import { requiredFeature } from '../../tenancy/accounts/requires-feature.decorator';

@Injectable()
class RateLimitGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly counter: RequestCounter,
  ) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    if (this.reflector.get(skipsRateLimit, context.getClass())) return true;
    return this.counter.count(context).then(() => true);
  }
}

/** Requires the kind of caller that the policy of the operation names. */
@Injectable()
class AuthenticatedGuard implements CanActivate {
  constructor(private readonly routes: RouteTable) {}

  canActivate(context: ExecutionContext): boolean {
    const { id, policy } = this.routes.operationOf(context.getHandler());
    if (policy === 'public') return true;
    const request = apiRequestOf(context);
    const { caller, callerLookupError } = request;
    request.operationId = id;
    if (!caller) throw callerLookupError ?? new Unauthorized();
    if (caller.apiKeyId !== null && policy[0] === 'signed-in only') throw new AuthRequired();
    return true;
  }
}

/** Refuses a method that the path does not support. Another route may match it, because `links/export` looks like the id of a link. */
@Injectable()
class MethodGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { method, supportedMethods } = apiRequestOf(context);
    if (supportedMethods && !supportedMethods.has(method)) throw new MethodNotAllowed([...supportedMethods]);
    return true;
  }
}

/** Requires the rights that the policy of the operation names, in the project of the path. */
@Injectable()
class PolicyGuard implements CanActivate {
  constructor(private readonly routes: RouteTable) {}

  canActivate(context: ExecutionContext): boolean {
    const { caller, params, method, ip, socket, headers } = apiRequestOf(context);
    if (!caller) return true;
    const { projectId } = params;
    const { id, policy } = this.routes.operationOf(context.getHandler());
    assertNotStopped(caller.stopped, id, policy, method);
    const project = typeof projectId === 'string' ? parseId(projectId) : null;
    assertPermitted(policy, caller.rights, project, () => addressOf(ip, socket.remoteAddress), headers.origin);
    return true;
  }
}

/** @throws OutsideLimits if the account is disabled, or frozen and the operation changes something */
function assertNotStopped(stopped: Stopped | null, operation: string, policy: Policy, method: string): void {
  if (stopped === null || policy === 'public') return;
  const isRead = method === 'GET' || method === 'HEAD' || policy[0].endsWith(':read');
  if (stopped === 'disabled' || !(isRead || operation === 'updateAccountProtection')) throw new OutsideLimits(stopped);
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

  /** @throws NotFound, AccessDenied */
  canActivate(context: ExecutionContext): true | Promise<true> {
    const { params, caller } = apiRequestOf(context);
    const text = params['projectId'];
    if (typeof text !== 'string' || !caller) return true;
    const id = parseId(text);
    const source = this.reflector.get(readsCurrentProject, context.getClass()) ? this.projects : this.cache;
    const lookUp = id === null ? null : source.find(id);
    return lookUp instanceof Promise
      ? lookUp.then((project) => this.#enter(project, context))
      : this.#enter(lookUp, context);
  }

  #enter(project: Project | null, context: ExecutionContext): true {
    const request = apiRequestOf(context);
    const caller = request.caller!;
    if (!project) throw new NotFound('Project');
    if (project.accountId !== caller.accountId) throw new AccessDenied('The project');
    request.project = project.limitedTo(caller.rights.destinationHosts);
    return true;
  }
}

/** Limits a burst again, because requests that wait for one look-up of their caller and project go on together. */
@Injectable()
class PacingGuard implements CanActivate {
  constructor(private readonly pacer: RequestPacer) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    const { caller } = apiRequestOf(context);
    if (!caller || this.pacer.tryTake()) return true;
    return new Promise((resolve) => this.pacer.hold(caller.accountId, () => resolve(true)));
  }
}

/** Counts the operations of a body, so that one request is no way around the rate limit. */
@Injectable()
class OperationsGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly counter: RequestCounter,
  ) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    const operationsOf = this.reflector.get<OperationsOf | undefined>(operationsOfBody, context.getHandler());
    const sent = operationsOf && (apiRequestOf(context).body as unknown);
    // Another body is refused by the ValidationPipe.
    if (typeof sent !== 'object' || sent === null) return true;
    return this.counter.countOperations(context, operationsOf!(sent)).then(() => true);
  }
}

type OperationsOf = (body: object) => number;

/**
 * Lists the guards in the order of the contract (docs/contract.md, “Order of checks”). Nest runs global guards in this order.
 * A guard that has nothing to wait for returns no promise, because Nest adds four to it.
 */
export const guardsInOrder: Provider[] = [
  AuthenticationGuard,
  RateLimitGuard,
  AuthenticatedGuard,
  MethodGuard,
  PolicyGuard,
  PlanGuard,
  ProjectOwnerGuard,
  PacingGuard,
  BodyParserGuard,
  OperationsGuard,
].map((guard) => ({ provide: APP_GUARD, useClass: guard }));
