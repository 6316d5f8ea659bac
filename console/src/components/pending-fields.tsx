import { type ReactNode, useLayoutEffect, useRef } from 'react';

/**
 * Disables fields until the answer to what was sent, because what is typed meanwhile would be lost. The focus returns to its field
 * afterwards.
 */
export function PendingFields({ isPending, children }: { isPending: boolean; children: ReactNode }) {
  const focused = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (!isPending && document.activeElement === document.body) focused.current?.focus();
  }, [isPending]);
  return (
    <fieldset
      className="pending-fields"
      disabled={isPending}
      onFocus={({ target }) => (focused.current = target)}
      onBlur={({ currentTarget }) => {
        // The browser takes the focus from a field that is disabled.
        if (!currentTarget.disabled) focused.current = null;
      }}
    >
      {children}
    </fieldset>
  );
}
