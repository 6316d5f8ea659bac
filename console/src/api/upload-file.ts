/**
 * Returns a `fetch` that sends a file and reports its progress, which `fetch` of browsers does not. The browser reads the file
 * from the disk piece by piece.
 * @param onProgress gets the number of bytes that are sent
 */
export function uploadOf(file: Blob, onProgress: (bytes: number) => void, signal: AbortSignal) {
  return (request: Request): Promise<Response> =>
    new Promise((resolve, reject) => {
      const onAbort = (): void => reject(new DOMException('The upload was cancelled.', 'AbortError'));
      if (signal.aborted) return onAbort();
      const sending = new XMLHttpRequest();
      const abort = (): void => sending.abort();
      signal.addEventListener('abort', abort);
      sending.open(request.method, request.url);
      request.headers.forEach((value, name) => sending.setRequestHeader(name, value));
      sending.upload.onprogress = ({ loaded }) => onProgress(loaded);
      sending.onload = () => resolve(responseOf(sending));
      sending.onerror = () => reject(new TypeError('The service did not answer.'));
      sending.onabort = onAbort;
      sending.onloadend = () => signal.removeEventListener('abort', abort);
      sending.send(file);
    });
}

function responseOf(sent: XMLHttpRequest): Response {
  const lines = sent.getAllResponseHeaders().trim().split('\r\n');
  const headers = lines.filter(Boolean).map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return new Response(sent.responseText, { status: sent.status, headers });
}
