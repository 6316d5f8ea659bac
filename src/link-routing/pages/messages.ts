import { markup } from '../../shared/markup';
import { type HtmlPage, renderPage } from './page';
import { type PageLanguage, pageLanguages, pageTexts } from './page-texts';

export type MessagePage = Readonly<Record<PageLanguage, HtmlPage>>;

export const notFoundPage = messagePage('notFound');
export const disabledPage = messagePage('disabled');
export const expiredPage = messagePage('expired');
export const unavailablePage = messagePage('unavailable');
export const methodPage = messagePage('notAllowed');

function messagePage(name: 'notFound' | 'disabled' | 'expired' | 'unavailable' | 'notAllowed'): MessagePage {
  const pages = pageLanguages.map((language) => {
    const { title, text } = pageTexts[language][name];
    const main = markup`<h1>${title}</h1>
<p class="description">${text}</p>`;
    return [language, renderPage({ title, language, main })];
  });
  return Object.fromEntries(pages) as MessagePage;
}
