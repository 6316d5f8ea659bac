/** Marks a string as HTML, in contrast to text that must be escaped. */
export class Markup {
  constructor(readonly text: string) {}
}

type Value = Markup | string | null | readonly Markup[];

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/**
 * Renders a template as HTML. Strings are escaped for text and quoted attributes; null renders as nothing. Only nested
 * `markup` is inserted unescaped. Strings must not be used inside `<script>` and `<style>`, because browsers do not decode
 * entities there (HTML Standard, 13.2.6.4.4).
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
