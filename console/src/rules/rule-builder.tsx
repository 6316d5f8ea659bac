import { Button, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { IconPlus } from '../components/icons';
import { useI18n } from '../i18n/i18n';
import { RuleCard } from './rule-card';
import { maxRules, newRule, type RuleDraft } from './rule-drafts';

/** Edits rules: the first one that matches a visitor decides where the link leads. */
export default function RuleBuilder({
  rules,
  errors,
  onChange,
  onMove,
  onRemove,
}: {
  rules: RuleDraft[];
  /** Messages by the path of their field, such as `rules.0.when.countries`. */
  errors: Record<string, ReactNode>;
  onChange: (rules: RuleDraft[]) => void;
  onMove: (from: number, to: number) => void;
  onRemove: (at: number) => void;
}) {
  const { t, number } = useI18n();
  const place = useRef<HTMLDivElement>(null);
  /** Selectors of what gets the focus after the next change; the first that is enabled. */
  const [focused, setFocused] = useState<string[]>([]);
  const [movedTo, setMovedTo] = useState<number | null>(null);
  useEffect(() => {
    const targets = focused.map((selector) => place.current?.querySelector<HTMLElement>(`${selector}:not(:disabled)`));
    targets.find((target) => target)?.focus();
  }, [focused]);
  const move = (from: number, to: number): void => {
    onMove(from, to);
    setMovedTo(to);
    const at = `[data-rule="${to}"]`;
    const actions = to < from ? ['up', 'down'] : ['down', 'up'];
    setFocused(actions.map((action) => `${at} [data-action=${action}]`));
  };
  return (
    <Stack gap="sm" ref={place}>
      <Text size="sm" c="dimmed">
        {t('rules.hint')}
      </Text>
      {rules.map((rule, at) => (
        <RuleCard
          key={at}
          rule={rule}
          at={at}
          isLast={at === rules.length - 1}
          errors={errors}
          onChange={(changed) => onChange(rules.map((one, place) => (place === at ? changed : one)))}
          onMove={(to) => move(at, to)}
          onRemove={() => {
            onRemove(at);
            setFocused(['[data-action=add]']);
          }}
        />
      ))}
      {rules.length > 0 && (
        <Text size="sm" c="dimmed">
          {t('rules.otherwise')}
        </Text>
      )}
      {errors['rules'] && (
        <Text size="sm" c="error" role="alert">
          {errors['rules']}
        </Text>
      )}
      <div className="visually-hidden" role="status">
        {movedTo !== null && t('rules.moved', { number: number(movedTo + 1) })}
      </div>
      <Group>
        <Button
          variant="default"
          size="xs"
          data-action="add"
          disabled={rules.length >= maxRules}
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => {
            onChange([...rules, newRule]);
            setFocused([`[data-rule="${rules.length}"] input`]);
          }}
        >
          {t('rules.add')}
        </Button>
      </Group>
    </Stack>
  );
}
