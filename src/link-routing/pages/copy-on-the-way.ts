/**
 * Runs in the page. Safari writes to the clipboard only within a tap, so the copying is begun before anything is waited for
 * (Clipboard API and events, 9.1.2). Where there is no clipboard API, which needs a secure context, a selected text area is
 * copied. The visitor reaches the store whatever becomes of it, a second later at most; every tap starts anew, because
 * the page is still there when the store opened as an app.
 */
export const copyOnTheWay = `
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
`;
