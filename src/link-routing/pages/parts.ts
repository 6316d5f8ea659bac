import { markup, type Markup } from '../../shared/markup';

// Titles and app names may be in any language and direction, so `lang` and `dir` do not inherit the language of the page.

export const headingOf = (title: string): Markup => markup`<h1 lang="" dir="auto">${title}</h1>`;

/** Renders a name above the heading, or nothing if the heading is the same. */
export const nameAbove = (name: string, title: string): Markup | null =>
  name === title ? null : markup`<p class="above" lang="" dir="auto">${name}</p>`;

export const descriptionOf = (description: string | null): Markup | null =>
  description ? markup`<p class="description" lang="" dir="auto">${description}</p>` : null;

/** Renders a name inside a sentence, isolated so that its writing direction does not reorder the sentence. */
export const inlineName = (name: string): Markup => markup`<bdi lang="">${name}</bdi>`;

/** Renders nothing if `address` is null. */
export const primaryButton = (address: string | null, label: string): Markup | null =>
  address === null ? null : markup`<a class="button primary" href="${address}">${label}</a>`;

/** Renders nothing if `address` is null. */
export const secondaryButton = (address: string | null, label: string): Markup | null =>
  address === null ? null : markup`<a class="button" href="${address}">${label}</a>`;
