import { retryUpTo } from '../api/retries';

/** Returns the properties of a dialog that stays open while a request is pending, because closing it would not stop the request. */
export const closing = (isPending: boolean) => ({
  closeOnEscape: !isPending,
  closeOnClickOutside: !isPending,
  closeButtonProps: { disabled: isPending },
});

/** Makes a mutation end soon, also offline, because its dialog stays open until then. */
export const dialogMutation = { networkMode: 'always', retry: retryUpTo(2) } as const;
