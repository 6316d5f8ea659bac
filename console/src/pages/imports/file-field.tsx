import { FileInput, Select, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { IconUpload } from '../../components/icons';
import { useI18n } from '../../i18n/i18n';
import { type Encoding, encodings, type FileFault, type ReadableFile, readableFile } from './import-file';
import { useBytes } from '../../components/use-bytes';

const accepted = '.csv,.tsv,.txt,.json,.ndjson,.jsonl,text/csv,application/json,application/x-ndjson';

/** Takes a file from a dialog, or one that is dropped on the field. It reads the beginning only. */
export function FileField({
  file,
  error,
  isDisabled,
  onChange,
}: {
  file: ReadableFile | null;
  error: string | null;
  isDisabled: boolean;
  onChange: (chosen: ReadableFile | FileFault | null) => void;
}) {
  const { t } = useI18n();
  const bytes = useBytes();
  const [isOver, setOver] = useState(false);
  const [chosen, setChosen] = useState<File | null>(file?.file ?? null);
  const [encoding, setEncoding] = useState<Encoding>(file?.encoding ?? 'utf-8');
  const newest = useRef<object | null>(null);
  const read = async (file: File | null, encoding?: Encoding): Promise<void> => {
    const reading = {};
    newest.current = reading;
    setChosen(file);
    if (encoding) setEncoding(encoding);
    // The file before must not be sent under the name of this one.
    onChange(null);
    if (file === null) return;
    const result = await readableFile(file, encoding).catch((): FileFault => 'unreadable');
    if (newest.current !== reading) return;
    if (!encoding) setEncoding(typeof result === 'string' ? 'utf-8' : result.encoding);
    onChange(result);
  };
  return (
    <div
      className="drop-zone"
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(!isDisabled);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        // The browser would open the file in place of the page.
        event.preventDefault();
        setOver(false);
        const [dropped] = event.dataTransfer.files;
        if (dropped && !isDisabled) void read(dropped);
      }}
    >
      <FileInput
        label={t('imports.form.file')}
        description={t('imports.form.fileHint')}
        placeholder={t('imports.form.choose')}
        accept={accepted}
        value={chosen}
        onChange={(file) => void read(file)}
        error={error}
        disabled={isDisabled}
        leftSection={<IconUpload size={18} aria-hidden />}
        clearable={!isDisabled}
        clearButtonProps={{ 'aria-label': t('imports.form.clear') }}
        required
      />
      <Text size="sm" c="dimmed" mt={4} role="status">
        {file && t('imports.form.chosen', { format: file.format.toUpperCase(), size: bytes(file.file.size) })}
      </Text>
      {chosen && (
        <Select
          label={t('imports.form.encoding')}
          description={file?.encoding === 'windows-1252' && t('imports.form.encodingHint')}
          data={encodings.map((value) => ({ value, label: t(`imports.encoding.${value}`) }))}
          value={encoding}
          onChange={(value) => void read(chosen, value ?? 'utf-8')}
          allowDeselect={false}
          disabled={isDisabled}
          maw={360}
          mt="sm"
        />
      )}
    </div>
  );
}
