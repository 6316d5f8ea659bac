import { createHash } from 'node:crypto';
import { markup, Markup } from './markup';
import type { Picture } from './picture';
import { style } from './style';

export interface Page {
  html: string;
  /** The header of this name: nothing but the page's own style, script and picture. */
  contentSecurityPolicy: string;
}

interface Parts {
  title: string;
  main: Markup;
  picture?: Picture | null;
  /** Into the head. */
  meta?: Markup;
  script?: Script | null;
}

/** Its text is the same on every page and named by its hash; what differs is in attributes, where it cannot run. */
export interface Script {
  text: string;
  /** At the script itself, which reads it from `document.currentScript.dataset`. */
  value: string;
}

export const noIndex = markup`<meta name="robots" content="noindex">`;

/** The one look of all pages. */
export function pageOf({ title, main, picture = null, meta = noIndex, script = null }: Parts): Page {
  const { text } = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${meta}
<style>${new Markup(style)}</style>
</head>
<body>
<main>
${picture?.markup ?? null}
<div class="content">
${main}
</div>
</main>
${script && markup`<script data-value="${script.value}">${new Markup(script.text)}</script>`}
</body>
</html>
`;
  return { html: text, contentSecurityPolicy: policy(picture, script) };
}

/** Content Security Policy Level 3. An address in the page can be followed by a tap and by nothing else. */
function policy(picture: Picture | null, script: Script | null): string {
  return [
    `default-src 'none'`,
    `style-src ${styleHash}`,
    script && `script-src ${hash(script.text)}`,
    picture && `img-src ${picture.origin}`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ]
    .filter((directive) => directive !== null)
    .join('; ');
}

const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const styleHash = hash(style);
