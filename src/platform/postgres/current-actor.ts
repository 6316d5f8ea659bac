import type { Actor } from '../../shared/actor';
import { actorOfContext } from './request-context';

let actorOfProcess: Actor = { kind: 'service' };

/** Names who makes changes outside requests and jobs. */
export function setActorOfProcess(actor: Actor): void {
  actorOfProcess = actor;
}

export const currentActor = (): Actor => actorOfContext() ?? actorOfProcess;

/** Returns the parameter of the SQL function `set_actor` for the current actor. */
export const actorParameter = (): string => JSON.stringify(currentActor());
