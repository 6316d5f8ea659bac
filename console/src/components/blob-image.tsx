import { type ImgHTMLAttributes, useCallback } from 'react';

/** Shows an image whose content is in memory. */
export function BlobImage({
  content,
  ...attributes
}: { content: Blob } & Omit<ImgHTMLAttributes<HTMLImageElement>, 'content'>) {
  const show = useCallback(
    (image: HTMLImageElement) => {
      const url = URL.createObjectURL(content);
      image.src = url;
      return () => URL.revokeObjectURL(url);
    },
    [content],
  );
  return <img ref={show} {...attributes} />;
}
