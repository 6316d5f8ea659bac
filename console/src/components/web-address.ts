/** A host with a dot, perhaps with a port, and what may follow it. Other schemes have a colon without a port. */
const bareAddress = /^[^\s:/?#@\\]+\.[^\s:/?#@\\]+(?::\d+)?(?:[/?#]|$)/;

/** Completes an address that was typed without a scheme, such as `shop.example.com/sale`, as browsers do. */
export function webAddress(text: string): string {
  const typed = text.trim();
  return bareAddress.test(typed) ? `https://${typed}` : typed;
}

/** Returns the host of a web page, with its port; null for other addresses and unfinished ones. */
export function webHost(url: string): string | null {
  try {
    const parsed = new URL(url);
    return ['http:', 'https:'].includes(parsed.protocol) ? parsed.host : null;
  } catch {
    return null;
  }
}
