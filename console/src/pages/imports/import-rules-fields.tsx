import { Paper, Radio, Select, Stack } from '@mantine/core';
import { timeZones } from '../../clicks/time-zones';
import { useI18n } from '../../i18n/i18n';
import { conflictPolicies, hasTimesWithoutZone, type ImportRules, type Source } from './import-sources';

/** Asks for the policy for conflicts, and for the zone of times without one. */
export function ImportRulesFields({
  source,
  rules,
  onChange,
}: {
  source: Source;
  rules: ImportRules;
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
