import { Button, type ButtonProps, NavLink, type NavLinkProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, Ref } from 'react';

type Anchor = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'style' | 'color'> & { ref?: Ref<HTMLAnchorElement> };

/** Shows a link to a page as a button. */
export const ButtonLink = createLink((props: ButtonProps & Anchor) => <Button component="a" {...props} />);

/** Shows a link to a page in the navigation. */
export const NavigationLink = createLink((props: NavLinkProps & Anchor) => <NavLink component="a" {...props} />);
