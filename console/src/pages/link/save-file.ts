/** Downloads content from memory under a name. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  // Browsers read the content after the click has returned.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
