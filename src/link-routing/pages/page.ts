import { createHash } from 'node:crypto';
import { markup, Markup } from './markup';
import type { Picture } from './picture';
import { style } from './style';

export interface Page {
  html: string;
  /** Allows only the style, script and picture of this page. */
  contentSecurityPolicy: string;
}

interface PageParts {
  title: string;
  main: Markup;
  picture?: Picture | null;
  /** Inserted into the head. */
  meta?: Markup;
  script?: Script | null;
}

/** A script with constant text, allowed by its hash. Variable data is in an attribute, where it cannot run. */
export interface Script {
  text: string;
  /** The script reads it as `document.currentScript.dataset.value`. */
  value: string;
}

export const noIndex = markup`<meta name="robots" content="noindex">`;

/** Renders the layout that all pages share. */
export function pageOf({ title, main, picture = null, meta = noIndex, script = null }: PageParts): Page {
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
  return { html: text, contentSecurityPolicy: buildPolicy(picture, script) };
}

/** Builds the Content Security Policy (Level 3). Links in the page work only by a tap. */
function buildPolicy(picture: Picture | null, script: Script | null): string {
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
