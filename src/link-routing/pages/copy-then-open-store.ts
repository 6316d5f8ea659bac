import { scriptOf } from './page';

/**
 * Copies the link, then opens the store. Runs in the page.
 *
 * Copying starts synchronously in the click handler, because Safari requires user activation (Clipboard API and events,
 * 9.1.2). A selected text area is the fallback, because the Clipboard API needs a secure context. The store opens within
 * a second even if copying fails. Each tap starts again, because the page stays open when the store opens as an app.
 */
export const copyThenOpenStore = scriptOf(`
{
  const text = document.currentScript.dataset.value;
  const button = document.getElementById('get');

  const copySelected = () => {
    const area = document.createElement('textarea');
    area.className = 'unseen';
    area.readOnly = true;
    area.value = text;
    document.body.append(area);
    area.select();
    area.setSelectionRange(0, text.length);
    document.execCommand('copy');
    area.remove();
  };
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      copySelected();
    }
  };

  button?.addEventListener('click', (event) => {
    event.preventDefault();
    let left = false;
    const leave = () => {
      if (!left) location.assign(button.href);
      left = true;
    };
    setTimeout(leave, 900);
    copy().then(leave, leave);
  });
}
`);
