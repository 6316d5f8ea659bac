import type { components } from 'signpost-client';
import { useMemo } from 'react';
import { RowTable } from '../components/row-table';
import { useI18n } from '../i18n/i18n';
import { platformOptions } from './condition-options';
import { ofTemplate, RuleFindings } from './rule-findings';

type Visit = components['schemas']['SimulatedVisit'];

/** Shows a row for each visitor: the rule that decides, and why the others do not. */
export function SimulatedVisits({ visits }: { visits: Visit[] }) {
  const { t, number, dateTime, locale } = useI18n();
  const countries = useMemo(() => new Intl.DisplayNames(locale, { type: 'region' }), [locale]);
  const platforms = useMemo(
    () => new Map<string, string>(platformOptions(t('rules.otherPlatform')).map(({ value, label }) => [value, label])),
    [t],
  );
  const hasTimes = new Set(visits.map(({ at }) => at)).size > 1;
  const visitorOf = ({ platform, country, language, at }: Visit): string =>
    [
      platforms.get(platform) ?? t('visit.desktop'),
      country && countries.of(country),
      language,
      hasTimes && dateTime(at),
    ]
      .filter(Boolean)
      .join(', ');
  return (
    <RowTable
      label={t('simulation.title')}
      heads={[t('visit.visitor'), t('simulation.answer')]}
      rows={visits.map((visit) => ({
        key: `${visit.platform} ${visit.country} ${visit.language} ${visit.at}`,
        cells: [
          visitorOf(visit),
          <>
            {visit.location === null ? (
              t(`simulation.kind.${visit.kind}`)
            ) : (
              <span className="mono">{visit.location}</span>
            )}
            {visit.rules.length > 0 && (
              <details>
                <summary>
                  {visit.rule === null
                    ? t('simulation.noRule')
                    : ofTemplate(visit.template, t('rules.rule', { number: number(visit.rule + 1) }), t)}
                </summary>
                <RuleFindings rules={visit.rules} />
              </details>
            )}
          </>,
        ],
      }))}
    />
  );
}
