import { createHash } from 'node:crypto';
import { markup, Markup } from '../../shared/markup';
import type { PageLanguage } from './page-texts';
import type { Picture } from './picture';
import { style } from './style';

/** A rendered page. The stylesheet is stored once for all pages, because pages are cached. */
export class HtmlPage {
  readonly bytes: number;

  /**
   * @param head the text before the stylesheet
   * @param body the text after it
   * @param contentSecurityPolicy allows only the style, script and picture of this page
   */
  constructor(
    private readonly head: string,
    private readonly body: string,
    readonly contentSecurityPolicy: string,
  ) {
    this.bytes = Buffer.byteLength(head) + styleBytes + Buffer.byteLength(body);
  }

  get html(): string {
    return this.head + style + this.body;
  }

  /** The cheapest encoding that is correct: Node copies Latin-1 and converts UTF-8. */
  get encoding(): 'latin1' | 'utf8' {
    return this.bytes === this.head.length + style.length + this.body.length ? 'latin1' : 'utf8';
  }

  /** The size in memory, without the stylesheet. V8 stores text outside Latin-1 with two bytes per character. */
  get memory(): number {
    const characters = this.head.length + this.body.length;
    return characters * (this.encoding === 'latin1' ? 1 : 2) + this.contentSecurityPolicy.length;
  }
}

interface PageParts {
  title: string;
  language: PageLanguage;
  picture?: Picture | null;
  /** The text of a script, constant because the policy allows it by its hash. */
  script?: Script;
  meta?: Markup;
  main: Markup;
  /** Data for the script, in an attribute, where it cannot run. Null omits the script. */
  scriptValue?: string | null;
}

/** A script with constant text. It reads its data as `document.currentScript.dataset.value`. */
export interface Script {
  text: Markup;
  hash: string;
  /** Whether it sends requests to the host of the page. */
  reports: boolean;
}

export const scriptOf = (text: string): Script => ({ text: new Markup(text), hash: hash(text), reports: false });

export const reportingScriptOf = (text: string): Script => ({ ...scriptOf(text), reports: true });

export const noIndex = markup`<meta name="robots" content="noindex">`;

/** Renders the layout that all pages share. */
export function renderPage({
  title,
  language,
  picture = null,
  script,
  meta = noIndex,
  main,
  scriptValue = null,
}: PageParts): HtmlPage {
  const { text: head } = markup`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${meta}
<style>`;
  const scripted = script !== undefined && scriptValue !== null;
  const { text: body } = markup`</style>
</head>
<body>
<main>
${picture?.markup ?? null}
<div class="content">
${main}
</div>
</main>
${scripted ? markup`<script data-value="${scriptValue}">${script.text}</script>` : null}
</body>
</html>
`;
  return new HtmlPage(head, body, policyOf(picture, scripted ? script : null));
}

/** Builds the Content Security Policy (Level 3). Links in the page work only by a tap. */
function policyOf(picture: Picture | null, script: Script | null): string {
  return [
    `default-src 'none'`,
    `style-src ${styleHash}`,
    script && `script-src ${script.hash}`,
    script?.reports ? `connect-src 'self'` : null,
    picture && `img-src ${picture.origin}`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ]
    .filter((directive) => directive !== null)
    .join('; ');
}

function hash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
const styleHash = hash(style);
const styleBytes = Buffer.byteLength(style);

/** The content that all pages of a link share. */
export interface Card {
  title: string;
  description: string | null;
  imageUrl: string | null;
}
