import { Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client';
import { ActionButton } from '../../components/action-button';
import { ErrorText } from '../../components/error-text';
import { webAddress } from '../../components/web-address';
import { useI18n } from '../../i18n/i18n';
import type { LinkFormState } from './link-values';
import { PictureButton } from './picture-button';

/** Uploads a picture, and returns its address. The browser reads the file from the disk piece by piece. */
async function uploadPicture(projectId: string, file: File): Promise<string> {
  const { data } = await answerOf(
    api.POST('/projects/{projectId}/pictures', {
      params: { path: { projectId } },
      headers: { 'Content-Type': file.type },
      // The types of the client know bodies of JSON only.
      body: file as never,
      bodySerializer: (body: unknown) => body as Blob,
    }),
  );
  return data.url;
}

const previewOf = (projectId: string, url: string) =>
  answerOf(api.POST('/projects/{projectId}/pictures/from-page', { params: { path: { projectId } }, body: { url } }));

/** Edits the picture of the card: an address, a file that is uploaded at once, or the picture of the web page with its texts. */
export function PictureField({ projectId, form }: { projectId: string; form: LinkFormState }) {
  const { t } = useI18n();
  const upload = useMutation({
    mutationFn: (file: File) => uploadPicture(projectId, file),
    onSuccess: (url) => form.setFieldValue('social_image_url', url),
  });
  const fromPage = useMutation({
    mutationFn: () => previewOf(projectId, webAddress(form.values.desktop_url)),
    onSuccess: ({ data: { title, description, picture } }) => {
      // Texts that somebody has typed stay.
      if (title !== null && form.getValues().social_title === '') form.setFieldValue('social_title', title);
      if (description !== null && form.getValues().social_description === '')
        form.setFieldValue('social_description', description);
      if (picture !== null) form.setFieldValue('social_image_url', picture.url);
    },
  });
  // Each hides the outcome of the other.
  const take = (file: File): void => {
    fromPage.reset();
    upload.mutate(file);
  };
  const takeFromPage = (): void => {
    upload.reset();
    fromPage.mutate();
  };
  const page = fromPage.data?.data;
  const error = upload.error ?? fromPage.error;
  return (
    <Stack gap={4}>
      <TextInput
        {...form.getInputProps('social_image_url')}
        type="url"
        inputMode="url"
        placeholder="https://example.com/picture.png"
        label={t('link.socialImage')}
        description={t('link.socialImageHint')}
      />
      <Group gap="xs">
        <PictureButton onChange={take}>
          {({ onClick }) => (
            <ActionButton
              operation="createPicture"
              variant="default"
              size="xs"
              loading={upload.isPending}
              onClick={onClick}
            >
              {t('link.uploadPicture')}
            </ActionButton>
          )}
        </PictureButton>
        <ActionButton
          operation="createPictureFromPage"
          variant="default"
          size="xs"
          loading={fromPage.isPending}
          refused={form.values.desktop_url.trim() === '' ? t('link.noPage') : null}
          onClick={takeFromPage}
        >
          {t('link.fromPage')}
        </ActionButton>
      </Group>
      <Text size="sm" role="status">
        {page && pageText()}
      </Text>
      {error && (
        <div role="alert">
          <ErrorText error={error} />
        </div>
      )}
    </Stack>
  );

  function pageText(): string {
    if (page!.failure !== null) return t(`link.pageFailure.${page!.failure}`);
    return t(page!.picture === null ? 'link.pageWithoutPicture' : 'link.pageRead');
  }
}
