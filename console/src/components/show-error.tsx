import { notifications } from '@mantine/notifications';
import { ErrorText } from './error-text';

/** Shows why something failed, in a notice that stays until it is closed, because its reader may look elsewhere. */
export function showError(title: string, error: Error): void {
  notifications.show({ color: 'red', title, message: <ErrorText error={error} />, autoClose: false });
}
