import { markup } from './markup';
import { type Page, pageTemplate } from './page';

export const notFoundPage = message('Page not found', 'There is no link at this address.');
export const unavailablePage = message(
  'Back in a moment',
  'This link cannot be opened right now. Please try again shortly.',
);
export const methodPage = message('Not allowed', 'A link can only be opened.');

function message(title: string, text: string): Page {
  return pageTemplate({ title })({
    main: markup`<h1>${title}</h1>
<p class="description">${text}</p>`,
  });
}
