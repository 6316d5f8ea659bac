import { markup, type Markup } from './markup';

// Texts of links and names of apps are in whatever language and direction their owners write, not in the page's English.

export const headingOf = (title: string): Markup => markup`<h1 lang="" dir="auto">${title}</h1>`;

/** A name above the heading, where that is not the name itself. */
export const nameAbove = (name: string, title: string): Markup | null =>
  name === title ? null : markup`<p class="above" lang="" dir="auto">${name}</p>`;

export const descriptionOf = (description: string | null): Markup | null =>
  description ? markup`<p class="description" lang="" dir="auto">${description}</p>` : null;

/** A name within a sentence: set apart, so that its writing direction does not reorder the sentence. */
export const nameWithin = (name: string): Markup => markup`<bdi lang="">${name}</bdi>`;

/** @param address null where it is none that may be gone to: there is no button then */
export const primaryButton = (address: string | null, label: string): Markup | null =>
  address === null ? null : markup`<a class="button primary" href="${address}">${label}</a>`;

/** @param address as of `primaryButton` */
export const secondaryButton = (address: string | null, label: string): Markup | null =>
  address === null ? null : markup`<a class="button" href="${address}">${label}</a>`;
