import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { operations } from 'signpost-client';
import permissions from 'virtual:permissions';
import { accountQuery } from '../api/queries';
import { type I18n, useI18n } from '../i18n/i18n';
import { type Refusal, refusalOf } from './refusal';
import { useSession } from './use-session';

export type Operation = keyof operations;

/** Returns the text that says why the caller may not call an operation; null if the caller may, and until that is known. */
export function useRefusals(): (operation: Operation) => string | null {
  const i18n = useI18n();
  const { kind } = useSession();
  const { projectId = null } = useParams({ strict: false });
  const access = useQuery(accountQuery).data?.access;
  return (operation) => {
    const permission = permissions[operation];
    // The owner can permit changes again.
    const isThaw = operation === 'updateAccountProtection';
    if (access === undefined || permission === undefined) return null;
    const current = isThaw ? { ...access, frozen: false } : access;
    const refusal = refusalOf(permission, current, kind === 'key' ? 'key' : 'person', projectId);
    return refusal && textOf(refusal, i18n);
  };
}

/** Returns the text of `useRefusals` for one operation. Without an operation, nothing is refused. */
export function useRefusal(operation: Operation | undefined): string | null {
  const refusals = useRefusals();
  return operation === undefined ? null : refusals(operation);
}

function textOf(refusal: Refusal, { t }: I18n): string {
  if (refusal.because === 'role') return t('refused.role', { role: t(`role.${refusal.role}`) });
  if (refusal.because === 'scope') return t('refused.scope', { scope: refusal.scope });
  return t(refusal.because === 'signed-in' ? 'refused.AUTH_REQUIRED' : `refused.reason.${refusal.because}`);
}
