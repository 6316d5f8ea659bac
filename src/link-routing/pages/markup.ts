/** A piece of HTML, as opposed to text that still has to be escaped. */
export class Markup {
  constructor(readonly text: string) {}
}

type Value = Markup | string | null | readonly Markup[];

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/**
 * HTML with values in it. Strings are escaped for text and for quoted attributes alike, null is nothing: a value can only
 * become markup by being made with this template too. No string may be put inside of `<script>` and `<style>`, where
 * browsers do not read entities (HTML Standard, 13.2.6.4.4).
 */
export function markup(literals: TemplateStringsArray, ...values: Value[]): Markup {
  return new Markup(literals.reduce((text, literal, at) => text + render(values[at - 1]!) + literal));
}

function render(value: Value): string {
  if (value === null) return '';
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (char) => entities[char]!);
  if (value instanceof Markup) return value.text;
  return value.map(render).join('');
}
