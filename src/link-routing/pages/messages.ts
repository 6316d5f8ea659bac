import { markup } from './markup';
import { type Page, pageTemplate } from './page';

export const notFoundText = { title: 'Page not found', text: 'There is no link at this address.' };
export const notFoundPage = message(notFoundText.title, notFoundText.text);
export const disabledText = {
  title: 'This link is disabled',
  text: 'Its owner has switched it off. Please ask where you found it.',
};
export const disabledPage = message(disabledText.title, disabledText.text);
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
