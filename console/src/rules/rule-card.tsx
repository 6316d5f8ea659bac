import { ActionIcon, Code, Group, Paper, Select, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconArrowDown, IconArrowUp, IconTrash, IconX } from '../components/icons';
import { useI18n } from '../i18n/i18n';
import { ConditionInput } from './condition-input';
import { RuleAnswer } from './rule-answer';
import { conditionNames, type ConditionName, emptyConditions, type RuleDraft, without } from './rule-drafts';

/** Edits one rule. */
export function RuleCard({
  rule,
  at,
  isLast,
  errors,
  onChange,
  onMove,
  onRemove,
}: {
  rule: RuleDraft;
  at: number;
  isLast: boolean;
  errors: Record<string, ReactNode>;
  onChange: (rule: RuleDraft) => void;
  onMove: (to: number) => void;
  onRemove: () => void;
}) {
  const { t, number: written } = useI18n();
  const number = written(at + 1);
  const path = `rules.${at}`;
  const unused = conditionNames.filter((name) => !Object.hasOwn(rule.when, name));
  const setWhen = (when: Record<string, unknown>): void => onChange({ ...rule, when });
  return (
    <Paper withBorder p="sm" radius="md" role="group" aria-label={t('rules.rule', { number })} data-rule={at}>
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap">
          <Title order={3} size="h5">
            {t('rules.rule', { number })}
          </Title>
          <Group gap={4} wrap="nowrap">
            <ActionIcon
              variant="subtle"
              size={36}
              data-action="up"
              disabled={at === 0}
              onClick={() => onMove(at - 1)}
              aria-label={t('rules.up', { number })}
            >
              <IconArrowUp size={16} aria-hidden />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              size={36}
              data-action="down"
              disabled={isLast}
              onClick={() => onMove(at + 1)}
              aria-label={t('rules.down', { number })}
            >
              <IconArrowDown size={16} aria-hidden />
            </ActionIcon>
            <ActionIcon variant="subtle" size={36} onClick={onRemove} aria-label={t('rules.remove', { number })}>
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </Group>
        </Group>
        {Object.entries(rule.when).map(([name, value]) => (
          <Group key={name} gap="xs" wrap="nowrap" align="flex-start">
            <div style={{ flex: 1, minWidth: 0 }}>
              {isKnown(name) ? (
                <ConditionInput
                  name={name}
                  value={value}
                  path={`${path}.when.${name}`}
                  errors={errors}
                  onChange={(changed) => setWhen({ ...rule.when, [name]: changed })}
                />
              ) : (
                <Code block>{`${name}: ${JSON.stringify(value)}`}</Code>
              )}
            </div>
            <ActionIcon
              variant="subtle"
              size={36}
              mt={isKnown(name) ? 24 : 0}
              onClick={() => setWhen(without(rule.when, name))}
              aria-label={t('rules.removeCondition', {
                number,
                condition: isKnown(name) ? t(`rules.condition.${name}`) : name,
              })}
            >
              <IconX size={16} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
        {unused.length > 0 && (
          <Select
            // A fault of the whole rule is one of its conditions together.
            error={errors[path] ?? errors[`${path}.when`]}
            aria-label={t('rules.addConditionTo', { number })}
            placeholder={t(Object.keys(rule.when).length === 0 ? 'rules.everybody' : 'rules.addCondition')}
            data={unused.map((name) => ({ value: name, label: t(`rules.condition.${name}`) }))}
            value={null}
            onChange={(name) => {
              if (name !== null) setWhen({ ...rule.when, [name]: emptyConditions[name] });
            }}
          />
        )}
        <RuleAnswer
          answer={rule.then}
          path={`${path}.then`}
          errors={errors}
          onChange={(then) => onChange({ ...rule, then })}
        />
      </Stack>
    </Paper>
  );
}

const isKnown = (name: string): name is ConditionName => (conditionNames as string[]).includes(name);
