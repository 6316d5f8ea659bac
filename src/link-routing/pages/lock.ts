import { markup } from '../../shared/markup';
import { lockTexts } from './lock-texts';
import { type HtmlPage, renderPage } from './page';
import { type PageLanguage, pageTexts } from './page-texts';

export interface LockCard {
  hasPassword: boolean;
  fault: 'wrong' | 'busy' | null;
  /** The host that led the visitor here, because the form sends no `Referer`. */
  referringHost: string | null;
}

/** Returns the texts of the page above its form. */
export function lockCardOf(hasPassword: boolean, language: PageLanguage): { title: string; description: string } {
  const { passwordTitle, passwordText, buttonTitle, buttonText } = lockTexts[language];
  return hasPassword
    ? { title: passwordTitle, description: passwordText }
    : { title: buttonTitle, description: buttonText };
}

/** Renders the page before a destination. It has nothing of the link, and its form goes to the visited address. */
export function lockPage({ hasPassword, fault, referringHost }: LockCard, language: PageLanguage): HtmlPage {
  const texts = lockTexts[language];
  const { title, description } = lockCardOf(hasPassword, language);
  return renderPage({
    title,
    language,
    hasForm: true,
    main: markup`<h1>${title}</h1>
<p class="description">${description}</p>
<form method="post">
${fault && markup`<p class="note" role="alert"><strong>${texts[fault]}</strong></p>`}
${hasPassword ? markup`<label class="field">${texts.password}<input type="password" name="password" autocomplete="off" maxlength="200" required autofocus></label>` : null}
${referringHost && markup`<input type="hidden" name="referrer" value="https://${referringHost}/">`}
<div class="buttons"><button class="button primary">${pageTexts[language].open}</button></div>
</form>`,
  });
}
