import { reportingScriptOf } from './page';

/**
 * Copies the link, then opens the store, and reports both steps by the token (`store-steps.ts`). Runs in the page.
 *
 * Copying starts synchronously in the click handler, because Safari requires user activation (Clipboard API and events,
 * 9.1.2). A selected text area is the fallback, because the Clipboard API needs a secure context. The store opens within
 * a second even if copying fails. Each tap starts again, because the page stays open when the store opens as an app.
 * A report never delays or prevents the store.
 */
export const copyThenOpenStore = reportingScriptOf(`
{
  const text = document.currentScript.dataset.value;
  const button = document.getElementById('get');

  const token = /[?&]deferred_link=([\\w-]{22})/.exec(text)?.[1];
  const report = (step) => {
    try {
      const body = JSON.stringify({ token, step });
      if (token) navigator.sendBeacon('/deferred-links/step', new Blob([body], { type: 'application/json' }));
    } catch {}
  };

  const copySelected = () => {
    const area = document.createElement('textarea');
    area.className = 'unseen';
    area.readOnly = true;
    area.value = text;
    document.body.append(area);
    area.select();
    area.setSelectionRange(0, text.length);
    const copied = document.execCommand('copy');
    area.remove();
    return copied;
  };
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      report('copied');
    } catch {
      if (copySelected()) report('copied');
    }
  };

  button?.addEventListener('click', (event) => {
    event.preventDefault();
    let left = false;
    const leave = () => {
      if (left) return;
      left = true;
      report('store');
      location.assign(button.href);
    };
    setTimeout(leave, 900);
    copy().then(leave, leave);
  });
  document.getElementById('continue')?.addEventListener('click', () => report('store'));
}
`);
