import { Text } from '@mantine/core';
import type { components } from 'signpost-client';
import type { I18n } from '../i18n/i18n';
import { useI18n } from '../i18n/i18n';
import { isMessageKey } from '../i18n/text';

type Finding = components['schemas']['ExplainedLinkRule'];

/** Names a condition in the reader's language. One that this console does not know has the name of the API. */
function conditionText(name: string, t: I18n['t']): string {
  const key = `rules.condition.${name}`;
  return isMessageKey(key) ? t(key) : name;
}

/** Adds the template that has a rule. Null: the link has it. */
export const ofTemplate = (template: string | null, text: string, t: I18n['t']): string =>
  template === null ? text : t('visit.ofTemplate', { name: template, text });

/** Says of each rule whether it matches a visitor, and why not. */
export function RuleFindings({ rules }: { rules: readonly Finding[] }) {
  const { t, number } = useI18n();
  return rules.map(({ index, template, outcome, unmet }) => {
    const conditions = unmet.map((name) => conditionText(name, t)).join(', ');
    const text = t(`visit.ruled.${outcome}`, { number: number(index + 1), conditions });
    return (
      <Text key={`${template} ${index}`} size="sm" fw={outcome === 'matched' ? 600 : undefined}>
        {ofTemplate(template, text, t)}
      </Text>
    );
  });
}
