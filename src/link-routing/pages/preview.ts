import { webUrl } from './safe-urls';
import { markup, type Markup } from './markup';
import { type Page, pageOf } from './page';
import { descriptionOf, headingOf, nameAbove } from './parts';
import { pictureOf } from './picture';

export interface PreviewContent {
  /** The visited URL. */
  url: string;
  title: string;
  description: string | null;
  imageUrl: string | null;
  siteName: string;
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
export function previewTags(link: PreviewContent): Tag[] {
  const image = webUrl(link.imageUrl);
  return [
    ...tag('name', 'description', link.description),
    ...tag('property', 'og:title', link.title),
    ...tag('property', 'og:description', link.description),
    ...tag('property', 'og:image', image),
    ...tag('property', 'og:url', webUrl(link.url)),
    ...tag('property', 'og:type', 'website'),
    ...tag('property', 'og:site_name', link.siteName),
    ...tag('name', 'twitter:card', image === null ? 'summary' : 'summary_large_image'),
    ...tag('name', 'twitter:title', link.title),
    ...tag('name', 'twitter:description', link.description),
    ...tag('name', 'twitter:image', image),
  ];
}

/** Renders the preview; its visible text equals the meta tags. */
export function previewPage(link: PreviewContent): Page {
  return pageOf({
    title: link.title,
    picture: pictureOf(webUrl(link.imageUrl)),
    meta: markup`${previewTags(link).map(markupOf)}`,
    main: markup`${nameAbove(link.siteName, link.title)}
${headingOf(link.title)}
${descriptionOf(link.description)}`,
  });
}

const tag = (attribute: Tag['attribute'], key: string, content: string | null): Tag[] =>
  content ? [{ attribute, key, content }] : [];

function markupOf({ attribute, key, content }: Tag): Markup {
  const named = attribute === 'name' ? markup`name="${key}"` : markup`property="${key}"`;
  return markup`<meta ${named} content="${content}">\n`;
}
