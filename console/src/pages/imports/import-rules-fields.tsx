import { Paper, Radio, Select, Stack } from '@mantine/core';
import { timeZones } from '../../clicks/time-zones';
import { useI18n } from '../../i18n/i18n';
import { conflictPolicies, dateFormats, hasTimesWithoutZone, type ImportRules, type Source } from './import-sources';

/** Asks for the policy for conflicts, and for the zone and the form of times that can have several meanings. */
export function ImportRulesFields({
  source,
  rules,
  ambiguousDate,
  onChange,
}: {
  source: Source;
  rules: ImportRules;
  /** A date of the file for which a format must be chosen. */
  ambiguousDate?: string | undefined;
  onChange: (rules: ImportRules) => void;
}) {
  const { t } = useI18n();
  return (
    <Paper className="card" p="lg">
      <Stack>
        <Radio.Group
          label={t('imports.form.conflict')}
          value={rules.conflict}
          onChange={(conflict) => onChange({ ...rules, conflict })}
        >
          <Stack gap="sm" mt="sm">
            {conflictPolicies.map((policy) => (
              <Radio
                key={policy}
                value={policy}
                label={t(`imports.policy.${policy}`)}
                description={t(`imports.policy.${policy}.hint`)}
              />
            ))}
          </Stack>
        </Radio.Group>
        {hasTimesWithoutZone(source) && (
          <Select
            label={t('imports.form.dateFormat')}
            data={dateFormats.map((value) => ({ value, label: t(`imports.dateFormat.${value}`) }))}
            value={rules.dateFormat}
            onChange={(value) => onChange({ ...rules, dateFormat: value ?? 'iso' })}
            allowDeselect={false}
            error={ambiguousDate !== undefined && t('imports.form.ambiguousDate', { date: ambiguousDate })}
            maw={360}
          />
        )}
        {hasTimesWithoutZone(source) && (
          <Select
            label={t('imports.form.timeZone')}
            data={timeZones()}
            value={rules.timeZone}
            onChange={(value) => onChange({ ...rules, timeZone: value ?? 'UTC' })}
            allowDeselect={false}
            searchable
            limit={100}
            maw={360}
          />
        )}
      </Stack>
    </Paper>
  );
}
