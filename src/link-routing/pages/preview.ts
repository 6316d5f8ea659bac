import { webUrl } from './safe-urls';
import { markup, type Markup } from '../../shared/markup';
import { type Card, type HtmlPage, renderPage } from './page';
import { descriptionOf, headingOf, nameAbove } from './parts';
import { pictureOf } from './picture';

export interface PreviewCard extends Card {
  siteName: string;
}

export interface PreviewUrls {
  /** The visited URL. */
  url: string;
}

interface Tag {
  attribute: 'name' | 'property';
  key: string;
  content: string;
}

/**
 * Returns the meta tags of Open Graph (https://ogp.me) and of X's cards
 * (https://developer.x.com/en/docs/x-for-websites/cards/overview/markup).
 */
export function previewTags({ title, description, imageUrl, url, siteName }: PreviewCard & PreviewUrls): Tag[] {
  const image = webUrl(imageUrl);
  return [
    ...tag('name', 'description', description),
    ...tag('property', 'og:title', title),
    ...tag('property', 'og:description', description),
    ...tag('property', 'og:image', image),
    ...tag('property', 'og:url', webUrl(url)),
    ...tag('property', 'og:type', 'website'),
    ...tag('property', 'og:site_name', siteName),
    ...tag('name', 'twitter:card', image === null ? 'summary' : 'summary_large_image'),
    ...tag('name', 'twitter:title', title),
    ...tag('name', 'twitter:description', description),
    ...tag('name', 'twitter:image', image),
  ];
}

/** Renders the preview; its visible text equals the meta tags. It has only texts of the link, so it is the same in all languages. */
export const previewPage = (card: PreviewCard & PreviewUrls): HtmlPage =>
  renderPage({
    title: card.title,
    language: 'en',
    picture: pictureOf(webUrl(card.imageUrl)),
    meta: markup`${previewTags(card).map(markupOf)}`,
    main: markup`${nameAbove(card.siteName, card.title)}
${headingOf(card.title)}
${descriptionOf(card.description)}`,
  });

const tag = (attribute: Tag['attribute'], key: string, content: string | null): Tag[] =>
  content ? [{ attribute, key, content }] : [];

function markupOf({ attribute, key, content }: Tag): Markup {
  const named = attribute === 'name' ? markup`name="${key}"` : markup`property="${key}"`;
  return markup`<meta ${named} content="${content}">\n`;
}
