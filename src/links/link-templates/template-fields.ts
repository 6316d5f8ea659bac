import type { Field } from '../../shared/field-table';
import { asObject, referrerParams } from '../../shared/referrer-params';
import { text } from '../../shared/text';
import { type LinkRule, linkRules } from '../../link-paths/rules/link-rules';

export const templateName = text({
  min: 1,
  max: 60,
  notBlank: true,
  pattern: /^[^\u0000-\u001f\u007f-\u009f]+$/,
  except: /^\s+$/,
  patternSays: 'have no control characters',
});

/** The fields of a template of links, in the order of errors. Links name their template, so its name never changes. */
export const templateFields = {
  name: {
    rule: templateName,
    required: true,
    answer: { maxLength: templateName.schema.maxLength },
    description:
      'Name of the template, unique in the project and case-sensitive. Links name it in `template`, so it never changes.',
    example: 'Newsletter',
  },
  referrer_params: {
    column: 'jsonb',
    rule: referrerParams,
    default: null,
    description:
      'Query parameters of all links of the template, as for a link. A parameter of the link replaces that of the same name.',
    example: { utm_source: 'newsletter', utm_medium: 'email' },
    render: asObject,
  },
  rules: {
    column: 'json',
    rule: linkRules,
    default: null,
    answer: { items: linkRules.schema.items },
    description: 'Rules of all links of the template, as for a link. They are tried after those of the link.',
    example: [{ when: { countries: ['DE', 'AT'] }, then: { url: 'https://shop.example.com/de' } }],
    render: (json: string) => JSON.parse(json) as LinkRule[],
  },
} as const satisfies Record<string, Field>;

export type TemplateFields = typeof templateFields;
