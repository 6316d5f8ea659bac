import { Table, Text } from '@mantine/core';
import type { components } from 'signpost-client';
import { useMemo } from 'react';
import { useI18n } from '../i18n/i18n';
import { platformOptions } from './condition-options';
import { conditionText } from './condition-text';

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
    <div className="scroll-x" role="region" aria-label={t('simulation.title')} tabIndex={0}>
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('visit.visitor')}</Table.Th>
            <Table.Th>{t('simulation.answer')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {visits.map((visit) => (
            <Table.Tr key={`${visit.platform} ${visit.country} ${visit.language} ${visit.at}`}>
              <Table.Td w="35%">{visitorOf(visit)}</Table.Td>
              <Table.Td>
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
                        : t('rules.rule', { number: number(visit.rule + 1) })}
                    </summary>
                    {visit.rules.map(({ index, outcome, unmet }) => (
                      <Text key={index} size="sm" fw={outcome === 'matched' ? 600 : undefined}>
                        {t(`visit.ruled.${outcome}`, {
                          number: number(index + 1),
                          conditions: unmet.map((name) => conditionText(name, t)).join(', '),
                        })}
                      </Text>
                    ))}
                  </details>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
