import { notifications } from '@mantine/notifications';
import { session } from '../session/session';
import { ErrorText } from './error-text';

/**
 * Shows why something failed, in a notice that stays until it is closed, because its reader may look elsewhere. It replaces an earlier one
 * with the same title. It is not shown after a sign-out, where the next account would see it.
 */
export function showError(title: string, error: Error): void {
  if (session.state.kind === 'signed-out') return;
  const id = `error: ${title}`;
  notifications.hide(id);
  notifications.show({ id, color: 'red', title, message: <ErrorText error={error} />, autoClose: false });
}
