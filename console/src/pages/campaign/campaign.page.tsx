import { Autocomplete, Group, Paper, SimpleGrid, Stack, TextInput, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { DynamicLink } from 'signpost-client';
import { useState } from 'react';
import { answerOf, api } from '../../api/client';
import { ApiError } from '../../api/api-error';
import { ActionButton } from '../../components/action-button';
import { FormError } from '../../components/form-error';
import { PageHead } from '../../components/page-head';
import { useCreationKey } from '../../components/use-creation-key';
import { useUnsavedChanges } from '../../components/use-unsaved-changes';
import { webAddress } from '../../components/web-address';
import { useI18n } from '../../i18n/i18n';
import { refusalText } from '../../i18n/refusal-text';
import { splitUtm } from '../link/utm-parameters';
import { useUtmValues } from '../link/use-utm-values';
import { type Campaign, emptyRow, isEmptyRow, linksOf, slugOf } from './campaign';
import { CampaignResult } from './campaign-result';
import { CampaignTable } from './campaign-table';
import { TemplateChoice } from './template-choice';

const utmFields = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term'] as const;

const initial: Campaign = {
  name: '',
  desktop_url: '',
  utm_campaign: '',
  utm_source: '',
  utm_medium: '',
  utm_term: '',
  rows: [{ ...emptyRow }, { ...emptyRow }, { ...emptyRow }],
};

/** Creates the links of a campaign by one request: one for each channel or poster, with its own UTM values and QR code. */
export function CampaignPage() {
  const i18n = useI18n();
  const { t, counted } = i18n;
  const { projectId } = useParams({ from: '/projects/$projectId/campaign' });
  const client = useQueryClient();
  const creationKey = useCreationKey();
  const [campaign, setCampaign] = useState(initial);
  const [created, setCreated] = useState<DynamicLink[] | null>(null);
  const [isFocused, setFocused] = useState(false);
  const values = useUtmValues(projectId, isFocused);
  const set = (changes: Partial<Campaign>): void => setCampaign((before) => ({ ...before, ...changes }));
  useUnsavedChanges(created === null && campaign !== initial);
  const bodies = linksOf(campaign);
  const create = useMutation({
    mutationFn: ({ links, key }: { links: typeof bodies; key: string }) =>
      answerOf(
        api.POST('/projects/{projectId}/links/bulk', {
          params: { path: { projectId }, header: { 'Idempotency-Key': key } },
          body: { atomic: true, operations: links.map((link) => ({ op: 'create' as const, link })) },
        }),
      ),
    onSuccess: async ({ data }) => {
      creationKey.forget();
      setCreated(data.results.flatMap((result) => result.data ?? []));
      await client.invalidateQueries({ queryKey: ['project', projectId, 'links'] });
      await client.invalidateQueries({ queryKey: ['projects'] });
      await client.invalidateQueries({ queryKey: ['account'] });
    },
  });
  if (created !== null) return <CampaignResult projectId={projectId} name={campaign.name.trim()} links={created} />;

  const { error } = create;
  const places = campaign.rows.flatMap((row, at) => (isEmptyRow(row) ? [] : [at]));
  const errors = new Map(
    refusedIn(error).map(({ index, ...refusal }) => [places[index] ?? 0, refusalText(refusal.error, i18n)]),
  );
  const isReady = campaign.name.trim() !== '' && campaign.desktop_url.trim() !== '' && bodies.length > 0;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) create.mutate({ links: bodies, key: creationKey.of(bodies) });
      }}
      noValidate
    >
      <Stack gap="lg">
        <PageHead title={t('campaign.title')} lead={t('campaign.lead')} />
        <Paper className="card" p="lg" onFocus={() => setFocused(true)}>
          <Stack>
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <TextInput
                autoFocus
                label={t('campaign.name')}
                description={t('campaign.nameHint')}
                value={campaign.name}
                maxLength={100}
                onChange={(event) => set({ name: event.currentTarget.value })}
                required
              />
              <TextInput
                label={t('link.web')}
                description={t('campaign.webHint')}
                placeholder="shop.example.com/sale"
                inputMode="url"
                value={campaign.desktop_url}
                onChange={(event) => set({ desktop_url: event.currentTarget.value })}
                onBlur={() => {
                  const split = splitUtm(campaign.desktop_url);
                  const utmValues = Object.fromEntries(split?.parameters.map(({ key, value }) => [key, value]) ?? []);
                  set({ ...utmValues, desktop_url: webAddress(split?.address ?? campaign.desktop_url) });
                }}
                required
              />
            </SimpleGrid>
            <TemplateChoice
              projectId={projectId}
              current={utmFields.map((key) => ({ key, value: campaign[key] })).filter(({ value }) => value !== '')}
              onChoose={(parameters) => set(Object.fromEntries(parameters.map(({ key, value }) => [key, value])))}
            />
            <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }}>
              {utmFields.map((field) => (
                <Autocomplete
                  key={field}
                  label={t(`utm.${field.slice(4) as 'source' | 'medium' | 'campaign' | 'term'}`)}
                  placeholder={field === 'utm_campaign' ? slugOf(campaign.name) : undefined}
                  data={values[field]}
                  value={campaign[field]}
                  onChange={(value) => set({ [field]: value })}
                />
              ))}
            </SimpleGrid>
          </Stack>
        </Paper>
        <Paper className="card" p="lg">
          <Stack>
            <Title order={2}>{t('campaign.rows')}</Title>
            <CampaignTable rows={campaign.rows} errors={errors} onChange={(rows) => set({ rows })} />
          </Stack>
        </Paper>
        <div className="card save-bar" data-changed={isReady || error !== null}>
          <FormError error={error} fields={[]} />
          <Group justify="flex-end">
            <ActionButton operation="changeDynamicLinks" type="submit" loading={create.isPending} disabled={!isReady}>
              {bodies.length === 0 ? t('campaign.createNone') : counted('campaign.create', bodies.length)}
            </ActionButton>
          </Group>
        </div>
      </Stack>
    </form>
  );
}

/** Returns the errors of single links, because of which none was created. */
function refusedIn(error: Error | null): { index: number; error: ApiError }[] {
  const details = error instanceof ApiError ? error.details : undefined;
  if (details === undefined || !('operations' in details)) return [];
  return details.operations.map(({ index, code, message, details: of }) => ({
    index,
    error: new ApiError(code, message, 0, of as ApiError['details']),
  }));
}
