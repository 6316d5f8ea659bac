import { Button, type ButtonProps, NavLink, type NavLinkProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, Ref } from 'react';
import { useRefusal } from '../session/use-refusal';
import { ActionButton, type Permitted } from './action-button';

type Anchor = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'style' | 'color'> & { ref?: Ref<HTMLAnchorElement> };

/** Shows a link to a page as a button. A caller who may not do what the page is for sees a disabled button with the reason. */
export const ButtonLink = createLink(({ operation, ...props }: ButtonProps & Anchor & Permitted) => {
  const refusal = useRefusal(operation);
  const { variant, size, leftSection, children } = props;
  if (refusal === null) return <Button component="a" {...props} />;
  return (
    <ActionButton operation={operation} {...{ variant, size, leftSection }}>
      {children}
    </ActionButton>
  );
});

/** Shows a link to a page in the navigation. */
export const NavigationLink = createLink((props: NavLinkProps & Anchor) => <NavLink component="a" {...props} />);
