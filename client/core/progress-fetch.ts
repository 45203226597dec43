/** Like `fetch`, but reports the share of the body sent so far, 0 to 1. */
export function fetchWithProgress(
  url: string,
  {
    method,
    headers,
    body,
    signal,
  }: { method: string; headers: Headers; body: FormData; signal: AbortSignal | null },
  onProgress: (share: number) => void,
): Promise<Response> {
  const request = new XMLHttpRequest();
  const reply = new Promise<Response>((resolve, reject) => {
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / total));
    request.addEventListener('load', () =>
      resolve(new Response(request.responseText, { status: request.status })),
    );
    request.addEventListener('error', () => reject(new TypeError('The request failed')));
    request.addEventListener('abort', () => reject(new DOMException('canceled', 'AbortError')));
  });
  signal?.addEventListener('abort', () => request.abort());
  request.open(method, url);
  for (const [name, value] of headers) request.setRequestHeader(name, value);
  request.send(body);
  return reply;
}
