/** A host with a dot, perhaps with a port, and what may follow it. Other schemes have a colon without a port. */
const bareAddress = /^[^\s:/?#@\\]+\.[^\s:/?#@\\]+(?::\d+)?(?:[/?#]|$)/;

/** Completes an address that was typed without a scheme, such as `shop.example.com/sale`, as browsers do. */
export function webAddress(text: string): string {
  const typed = text.trim();
  return bareAddress.test(typed) ? `https://${typed}` : typed;
}

/** Returns the parts of the address of a web page; null for other addresses and unfinished ones. */
export function webUrl(text: string): URL | null {
  try {
    const url = new URL(text);
    return ['http:', 'https:'].includes(url.protocol) ? url : null;
  } catch {
    return null;
  }
}

/** Returns the host of a web page, with its port; null for other addresses and unfinished ones. */
export const webHost = (text: string): string | null => webUrl(text)?.host ?? null;
