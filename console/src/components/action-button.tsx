import { Button, type ButtonProps, Tooltip } from '@mantine/core';
import type { ButtonHTMLAttributes, MouseEvent, Ref } from 'react';
import { type Operation, useRefusal } from '../session/use-refusal';

type Native = Omit<ButtonHTMLAttributes<HTMLButtonElement>, keyof ButtonProps> & { ref?: Ref<HTMLButtonElement> };

/** Names the operation of a button. A caller who may not call it sees the button disabled, with the reason. */
export interface Permitted {
  operation?: Operation | undefined;
  /** Why this caller may not do it, besides what the operation requires; null if nothing does. */
  refused?: string | null;
}

/** Shows a button that keeps the focus while it is busy or disabled, because browsers take the focus from disabled buttons. */
export function ActionButton({ operation, refused = null, ...props }: ButtonProps & Native & Permitted) {
  // The sign-in has buttons too. It is outside of the pages, and nobody has rights there.
  if (operation === undefined) return <FocusableButton {...props} refusal={refused} />;
  return <PermittedButton {...props} operation={operation} refused={refused} />;
}

type PermittedProps = ButtonProps & Native & { operation: Operation; refused: string | null };

function PermittedButton({ operation, refused, ...props }: PermittedProps) {
  return <FocusableButton {...props} refusal={useRefusal(operation) ?? refused} />;
}

function FocusableButton({ onClick, refusal, disabled, ...props }: ButtonProps & Native & { refusal: string | null }) {
  const button = (
    <Button
      {...props}
      disabled={disabled === true || refusal !== null}
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
