import type { Parameter } from './utm-parameters';

/** UTM values that the project offers under a name. */
export interface UtmTemplate {
  name: string;
  parameters: Parameter[];
}

/** Reads a template of the project, such as `Newsletter?utm_source=newsletter`. */
export function readTemplate(text: string): UtmTemplate {
  const at = text.indexOf('?');
  const parameters = [...new URLSearchParams(text.slice(at + 1))].map(([key, value]) => ({ key, value }));
  return { name: text.slice(0, at), parameters };
}

export const writeTemplate = ({ name, parameters }: UtmTemplate): string =>
  `${name.trim().replaceAll('?', '')}?${new URLSearchParams(parameters.map(({ key, value }): [string, string] => [key, value]))}`;
