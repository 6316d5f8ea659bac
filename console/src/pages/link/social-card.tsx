import { Anchor, Paper, Stack, Text, Title } from '@mantine/core';
import { settings } from '../../app/settings';
import { IconPhoto } from '../../components/icons';
import { webHost } from '../../components/web-address';
import { useI18n } from '../../i18n/i18n';
import type { LinkValues } from './link-values';
import { isUploadedPicture } from './uploaded-picture';

/** Draws the card of a social network while the user types. It names pictures of other hosts but loads nothing from there. */
export function SocialCard({ values, host }: { values: LinkValues; host: string }) {
  const { t } = useI18n();
  const imageHost = webHost(values.social_image_url);
  return (
    <Paper className="card" p="lg">
      <Stack gap="sm">
        <Title order={2}>{t('social.title')}</Title>
        <div className="social-card">
          {isUploadedPicture(values.social_image_url, settings.pictures) ? (
            <img src={values.social_image_url} alt="" />
          ) : (
            <div className="image">
              <Stack gap={4} align="center">
                <IconPhoto size={28} aria-hidden />
                {imageHost === null ? (
                  <Text size="sm">{t('social.noImage')}</Text>
                ) : (
                  <Anchor size="sm" href={values.social_image_url} target="_blank" rel="noreferrer">
                    {t('social.imageAt', { host: imageHost })}
                  </Anchor>
                )}
              </Stack>
            </div>
          )}
          <Stack gap={2} p="md">
            {host !== '' && (
              <Text size="xs" c="dimmed" tt="uppercase">
                {host}
              </Text>
            )}
            <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
              {values.social_title || t('social.noTitle')}
            </Text>
            <Text size="sm" c="dimmed" lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
              {values.social_description || t('social.noDescription')}
            </Text>
          </Stack>
        </div>
        <Text size="sm" c="dimmed">
          {t('social.note')}
        </Text>
      </Stack>
    </Paper>
  );
}
