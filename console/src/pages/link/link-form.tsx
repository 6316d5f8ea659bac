import {
  Divider,
  Paper,
  Select,
  SimpleGrid,
  Skeleton,
  Stack,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ClipboardEvent, lazy, Suspense, useState } from 'react';
import { androidAppsQuery, iosAppsQuery, linkTemplatesQuery } from '../../api/queries';
import { errorAt } from '../../components/error-at';
import { ForwardingFields } from '../../components/forwarding-fields';
import { type FieldText, useTagSuggestions } from '../../components/use-tag-suggestions';
import { webAddress } from '../../components/web-address';
import { useI18n } from '../../i18n/i18n';
import { PairRows } from '../../rules/pair-rows';
import { VariantRows } from '../../rules/variant-rows';
import type { LinkFormState, LinkValues } from './link-values';
import { LockFields } from './lock-fields';
import { PictureField } from './picture-field';
import { splitUtm, utmNames, withParameters } from './utm-parameters';

const RuleBuilder = lazy(() => import('../../rules/rule-builder'));

/** The fields of a link. The first group is enough for a link that works. */
export function LinkFields({
  projectId,
  form,
  host,
  stored,
  tagText,
}: {
  projectId: string;
  form: LinkFormState;
  host: string | null;
  /** The values that the service has. */
  stored: LinkValues;
  /** A tag that is typed and not finished. */
  tagText: FieldText;
}) {
  const { t } = useI18n();
  const iosApps = useQuery(iosAppsQuery(projectId)).data?.data ?? [];
  const androidApps = useQuery(androidAppsQuery(projectId)).data?.data ?? [];
  // Most links have no template, so the page does not load them with the link.
  const [isChosen, setChosen] = useState(false);
  const templates = useQuery({ ...linkTemplatesQuery(projectId), enabled: isChosen }).data ?? [];
  const { template } = form.values;
  // The names are suggestions only, so the page does not load them with the link.
  const [isFocused, setFocused] = useState(false);
  const { tags, field: tagSearch } = useTagSuggestions(projectId, { enabled: isFocused, text: tagText });
  /** Moves UTM values of a pasted address to the parameters, where other links can have the same. */
  const splitPasted = (event: ClipboardEvent<HTMLInputElement>): void => {
    const { value, selectionStart, selectionEnd } = event.currentTarget;
    const isReplaced = selectionStart === 0 && selectionEnd === value.length;
    const split = isReplaced ? splitUtm(event.clipboardData.getData('text')) : null;
    if (!split) return;
    event.preventDefault();
    form.setFieldValue('desktop_url', split.address);
    form.setFieldValue('referrer_params', withParameters(form.values.referrer_params, split.parameters));
    setSplit(true);
  };
  const [isSplit, setSplit] = useState(false);
  const url = { type: 'url', inputMode: 'url', placeholder: 'https://example.com/page' } as const;
  return (
    <Stack gap="md">
      <Paper className="card" p="lg">
        <Stack>
          <TextInput {...form.getInputProps('name')} label={t('link.name')} description={t('link.nameHint')} required />
          <TextInput
            {...form.getInputProps('custom_path')}
            label={t('link.path')}
            description={host === null ? t('link.pathHint') : t('link.pathHintHost', { host })}
            placeholder="summer-sale"
          />
          <TextInput
            {...form.getInputProps('desktop_url')}
            {...url}
            label={t('link.web')}
            description={t(isSplit ? 'link.webSplit' : 'link.webHint')}
            onPaste={splitPasted}
            onBlur={() => form.setFieldValue('desktop_url', webAddress(form.values.desktop_url))}
          />
        </Stack>
      </Paper>
      <Paper className="card" p="lg">
        <Stack>
          <Title order={2}>{t('link.apps')}</Title>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <Select
              {...form.getInputProps('ios_app_id')}
              label={t('link.iosApp')}
              placeholder={iosApps.length === 0 ? t('link.noApps') : t('link.noApp')}
              data={iosApps.map(({ id, name }) => ({ value: id, label: name }))}
              clearable
              clearButtonProps={{ 'aria-label': t('link.noApp') }}
            />
            <TextInput {...form.getInputProps('ios_fallback_url')} {...url} label={t('link.iosFallback')} />
            <Select
              {...form.getInputProps('android_app_id')}
              label={t('link.androidApp')}
              placeholder={androidApps.length === 0 ? t('link.noApps') : t('link.noApp')}
              data={androidApps.map(({ id, name }) => ({ value: id, label: name }))}
              clearable
              clearButtonProps={{ 'aria-label': t('link.noApp') }}
            />
            <TextInput {...form.getInputProps('android_fallback_url')} {...url} label={t('link.androidFallback')} />
          </SimpleGrid>
          <Switch
            {...form.getInputProps('ios_deferred_deep_link', { type: 'checkbox' })}
            label={t('link.deferred')}
            description={t('link.deferredHint')}
          />
        </Stack>
      </Paper>
      <Paper className="card" p="lg">
        <Stack>
          <Title order={2}>{t('link.social')}</Title>
          <TextInput {...form.getInputProps('social_title')} label={t('link.socialTitle')} />
          <Textarea
            {...form.getInputProps('social_description')}
            label={t('link.socialDescription')}
            autosize
            minRows={2}
          />
          <PictureField projectId={projectId} form={form} />
          <Divider />
          <PairRows
            label={<Title order={3}>{t('link.parameters')}</Title>}
            hint={t('link.parametersHint')}
            rows={form.values.referrer_params}
            path="referrer_params"
            errors={form.errors}
            onChange={(rows) => form.setFieldValue('referrer_params', rows)}
            proposals={utmNames}
          />
          <ForwardingFields
            select={form.getInputProps('query_forwarding')}
            names={form.getInputProps('forwarded_params')}
            namesError={errorAt(form.errors, 'forwarded_params')}
            asProject
          />
          <Textarea
            {...form.getInputProps('app_data')}
            error={errorAt(form.errors, 'app_data')}
            className="mono"
            label={t('link.appData')}
            description={t('link.appDataHint')}
            autosize
            minRows={2}
          />
        </Stack>
      </Paper>
      <Paper className="card" p="lg">
        <Stack>
          <Title order={2}>{t('link.rules')}</Title>
          <VariantRows
            label={<Title order={3}>{t('link.variants')}</Title>}
            rows={form.values.variants}
            path="variants"
            errors={form.errors}
            firstUrl={form.values.desktop_url}
            onChange={(rows) => form.setFieldValue('variants', rows)}
          />
          <Select
            {...form.getInputProps('template')}
            label={t('link.template')}
            description={t('link.templateHint')}
            placeholder={t('link.noTemplate')}
            onFocus={() => setChosen(true)}
            data={[...new Set([...(template === null ? [] : [template]), ...templates.map(({ name }) => name)])]}
            clearable
            clearButtonProps={{ 'aria-label': t('link.noTemplate') }}
          />
          <Suspense fallback={<Skeleton height={90} radius="lg" />}>
            <RuleBuilder
              rules={form.values.rules}
              errors={form.errors}
              onChange={(rules) => form.setFieldValue('rules', rules)}
              onMove={(from, to) => form.reorderListItem('rules', { from, to })}
              onRemove={(at) => form.removeListItem('rules', at)}
            />
          </Suspense>
        </Stack>
      </Paper>
      <Paper className="card" p="lg">
        <Stack>
          <Title order={2}>{t('link.life')}</Title>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput
              {...form.getInputProps('active_from')}
              type="datetime-local"
              step={1}
              label={t('link.activeFrom')}
              description={t('link.activeFromHint')}
            />
            <TextInput
              {...form.getInputProps('active_until')}
              type="datetime-local"
              step={1}
              label={t('link.activeUntil')}
              description={t('link.activeUntilHint')}
            />
          </SimpleGrid>
          <TextInput
            {...form.getInputProps('expired_url')}
            {...url}
            label={t('link.expiredUrl')}
            description={t('link.expiredUrlHint')}
          />
          <LockFields form={form} isStored={stored.password !== null} />
        </Stack>
      </Paper>
      <Paper className="card" p="lg">
        <Stack onFocus={() => setFocused(true)}>
          <Title order={2}>{t('link.organisation')}</Title>
          <TextInput {...form.getInputProps('title')} label={t('link.title')} description={t('link.titleHint')} />
          <Textarea
            {...form.getInputProps('notes')}
            label={t('link.notes')}
            description={t('link.notesHint')}
            autosize
            minRows={2}
          />
          <TagsInput
            {...form.getInputProps('tags')}
            error={errorAt(form.errors, 'tags')}
            label={t('link.tags')}
            description={t('link.tagsHint')}
            placeholder={form.values.tags.length === 0 ? t('link.tagsPlaceholder') : undefined}
            {...tagSearch}
            data={tags.map(({ name }) => name)}
            maxTags={20}
            clearable
            clearButtonProps={{ 'aria-label': t('link.noTags') }}
          />
          <TextInput
            {...form.getInputProps('external_id')}
            label={t('link.externalId')}
            description={t('link.externalIdHint')}
          />
          <Switch
            {...form.getInputProps('archived', { type: 'checkbox' })}
            label={t('link.archived')}
            description={t('link.archivedHint')}
          />
          <Switch
            {...form.getInputProps('disabled', { type: 'checkbox' })}
            label={t('link.disabled')}
            description={t('link.disabledHint')}
          />
          <Switch
            {...form.getInputProps('conversions', { type: 'checkbox' })}
            label={t('link.conversions')}
            description={t('link.conversionsHint')}
          />
        </Stack>
      </Paper>
    </Stack>
  );
}
