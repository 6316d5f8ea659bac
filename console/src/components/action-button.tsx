import { Button, type ButtonProps } from '@mantine/core';
import type { ButtonHTMLAttributes, MouseEvent, Ref } from 'react';

type Native = Omit<ButtonHTMLAttributes<HTMLButtonElement>, keyof ButtonProps> & { ref?: Ref<HTMLButtonElement> };

/** Shows a button that keeps the focus while it is busy or disabled, because browsers take the focus from disabled buttons. */
export function ActionButton({ onClick, ...props }: ButtonProps & Native) {
  return (
    <Button
      {...props}
      renderRoot={({ disabled, ...root }: Record<string, unknown>) => (
        <button
          {...root}
          aria-disabled={disabled === true || undefined}
          onClick={disabled === true ? refuse : onClick}
        />
      )}
    />
  );
}

/** Keeps the button from submitting its form, also by Enter in a field. */
const refuse = (event: MouseEvent): void => event.preventDefault();
