import { Stack, Text, Title } from '@mantine/core';
import { ButtonLink } from './router-links';
import { useI18n } from '../i18n/i18n';

export function NotFoundPage() {
  const { t } = useI18n();
  return (
    <Stack align="flex-start">
      <Title order={1}>{t('notFound.title')}</Title>
      <Text>{t('notFound.text')}</Text>
      <ButtonLink to="/">{t('nav.projects')}</ButtonLink>
    </Stack>
  );
}
