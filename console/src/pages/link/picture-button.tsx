import { FileButton, type FileButtonProps } from '@mantine/core';
import { useRef } from 'react';

/** Lets the user choose a picture. The same file can be chosen again, because it may have changed or was refused. */
export function PictureButton({
  onChange,
  children,
}: {
  onChange: (file: File) => void;
  children: FileButtonProps['children'];
}) {
  const reset = useRef<() => void>(null);
  return (
    <FileButton
      resetRef={reset}
      accept="image/png,image/jpeg,image/webp"
      onChange={(file) => {
        reset.current?.();
        if (file) onChange(file);
      }}
    >
      {children}
    </FileButton>
  );
}
