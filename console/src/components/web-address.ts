/** A host with a dot, perhaps with a port, and what may follow it. Other schemes have a colon without a port. */
const bareAddress = /^[^\s:/?#@\\]+\.[^\s:/?#@\\]+(?::\d+)?(?:[/?#]|$)/;

/** Completes an address that was typed without a scheme, such as `shop.example.com/sale`, as browsers do. */
export function webAddress(text: string): string {
  const typed = text.trim();
  return bareAddress.test(typed) ? `https://${typed}` : typed;
}
