import { Button, type ButtonProps, Tooltip } from '@mantine/core';
import type { ButtonHTMLAttributes, MouseEvent, Ref } from 'react';
import { type Operation, useRefusal } from '../session/use-refusal';

type Native = Omit<ButtonHTMLAttributes<HTMLButtonElement>, keyof ButtonProps> & { ref?: Ref<HTMLButtonElement> };

/** What a button does. A caller who may not do it sees the button disabled, with the reason. */
export interface Permitted {
  operation?: Operation | undefined;
  /** Why this caller may not do it, besides what the operation requires; null if nothing does. */
  refused?: string | null;
}

/** Shows a button that keeps the focus while it is busy or disabled, because browsers take the focus from disabled buttons. */
export function ActionButton({
  onClick,
  operation,
  refused = null,
  disabled,
  ...props
}: ButtonProps & Native & Permitted) {
  const refusal = useRefusal(operation) ?? refused;
  const isDisabled = disabled === true || refusal !== null;
  const button = (
    <Button
      {...props}
      disabled={isDisabled}
      aria-description={refusal ?? undefined}
      renderRoot={({ disabled: isOff, ...root }: Record<string, unknown>) => (
        <button {...root} aria-disabled={isOff === true || undefined} onClick={isOff === true ? refuse : onClick} />
      )}
    />
  );
  if (refusal === null) return button;
  return (
    <Tooltip label={refusal} events={{ hover: true, focus: true, touch: true }} multiline maw={320}>
      {button}
    </Tooltip>
  );
}

/** Keeps the button from submitting its form, also by Enter in a field. */
const refuse = (event: MouseEvent): void => event.preventDefault();
