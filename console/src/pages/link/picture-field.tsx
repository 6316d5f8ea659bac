import { Group, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client';
import { ActionButton } from '../../components/action-button';
import { ErrorText } from '../../components/error-text';
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

/** Takes the picture of the card: an address, or a file that is uploaded at once. */
export function PictureField({ projectId, form }: { projectId: string; form: LinkFormState }) {
  const { t } = useI18n();
  const upload = useMutation({
    mutationFn: (file: File) => uploadPicture(projectId, file),
    onSuccess: (url) => form.setFieldValue('social_image_url', url),
  });
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
        <PictureButton onChange={(file) => upload.mutate(file)}>
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
      </Group>
      {upload.error && (
        <div role="alert">
          <ErrorText error={upload.error} />
        </div>
      )}
    </Stack>
  );
}
