import { Code, Select, Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { errorAt } from '../components/error-at';
import { webAddress } from '../components/web-address';
import { useI18n } from '../i18n/i18n';
import { PairRows } from './pair-rows';
import { type Pair, without } from './rule-drafts';
import { VariantRows } from './variant-rows';
import { type VariantRow, withVariant } from './variants';

const kinds = ['url', 'variants', 'store', 'app'] as const;

/** Returns an answer of a kind, before somebody fills it. Variants begin with the page of the answer before. */
const emptyAnswer = (kind: (typeof kinds)[number], before: Record<string, unknown>): Record<string, unknown> =>
  ({
    url: { url: '' },
    variants: { variants: withVariant([], (before['url'] ?? '') as string) },
    store: { store: true },
    app: { app: true },
  })[kind];

/** Edits where a rule leads. An answer that this console does not know is shown, and stays until another is chosen. */
export function RuleAnswer({
  answer,
  path,
  errors,
  onChange,
}: {
  answer: Record<string, unknown>;
  path: string;
  errors: Record<string, ReactNode>;
  onChange: (answer: Record<string, unknown>) => void;
}) {
  const { t } = useI18n();
  const kind = kinds.find((one) => Object.hasOwn(answer, one)) ?? null;
  const params = (answer['params'] ?? []) as Pair[];
  return (
    <Stack gap="xs">
      <Select
        label={t('rules.then')}
        placeholder={t('rules.then.unknown')}
        data={kinds.map((one) => ({ value: one, label: t(`rules.then.${one}`) }))}
        value={kind}
        // An answer without own inputs has its faults here.
        error={kind === null ? errorAt(errors, path) : errors[path]}
        onChange={(chosen) => {
          if (chosen !== null && chosen !== kind) onChange(emptyAnswer(chosen, answer));
        }}
        allowDeselect={false}
      />
      {kind === null && <Code block>{JSON.stringify(answer)}</Code>}
      {kind === 'url' && (
        <TextInput
          type="url"
          inputMode="url"
          label={t('rules.url')}
          placeholder="https://example.com/page"
          value={String(answer['url'])}
          error={errors[`${path}.url`]}
          onChange={(event) => onChange({ ...answer, url: event.currentTarget.value })}
          onBlur={(event) => {
            const url = webAddress(event.currentTarget.value);
            if (url !== answer['url']) onChange({ ...answer, url });
          }}
        />
      )}
      {kind === 'variants' && (
        <VariantRows
          label={t('link.variants')}
          rows={answer['variants'] as VariantRow[]}
          path={`${path}.variants`}
          errors={errors}
          firstUrl=""
          onChange={(variants) => onChange({ ...answer, variants })}
        />
      )}
      {(kind === 'url' || kind === 'variants') && (
        <PairRows
          label={t('link.parameters')}
          rows={params}
          path={`${path}.params`}
          errors={errors}
          onChange={(rows) => onChange(rows.length === 0 ? without(answer, 'params') : { ...answer, params: rows })}
        />
      )}
    </Stack>
  );
}
