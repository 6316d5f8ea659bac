import { createHash } from 'node:crypto';
import type { VisitedLink } from './visited-link';

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: Canvas; color: CanvasText; }
main { max-width: 32rem; padding: 2rem 1rem; text-align: center; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; margin: 0 0 .5rem; }
p { margin: 0; opacity: .8; }
`;

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Nothing runs and nothing is fetched; the one style of the page is named by its hash. */
export const contentSecurityPolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256')
  .update(style)
  .digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

export const notFoundPage = page('Page not found', 'There is no link at this address.');
export const unavailablePage = page(
  'Back in a moment',
  'This link cannot be opened right now. Please try again shortly.',
);
export const methodPage = page('Not allowed', 'A link can only be opened.');

/** For a link that has no destination for its visitor. */
export const landingPage = (link: VisitedLink): string =>
  page(link.socialTitle ?? link.name, link.socialDescription ?? 'This link has no page for your device.');

function page(title: string, text: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escape(title)}</title>
<style>${style}</style>
</head>
<body><main><h1>${escape(title)}</h1><p>${escape(text)}</p></main></body>
</html>
`;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (char) => entities[char]!);
}
