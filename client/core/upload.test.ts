import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fileRoutes } from '@matterdesk/contract/files.ts';
import { connectSession } from '../api.ts';
import { uploadFile } from './upload.ts';

/** Stands in for the browser's request; the test sends the response. */
class AnsweredRequest extends EventTarget {
  static readonly sent: AnsweredRequest[] = [];
  readonly upload = new EventTarget();
  readonly headers: Record<string, string> = {};
  body: FormData | undefined;
  status = 0;
  responseText = '';
  open(): void {}
  setRequestHeader(name: string, value: string): void {
    this.headers[name] = value;
  }
  send(body: FormData): void {
    this.body = body;
    AnsweredRequest.sent.push(this);
  }
  abort(): void {
    this.dispatchEvent(new Event('abort'));
  }
  answer(status: number, reply: unknown): void {
    this.status = status;
    this.responseText = typeof reply === 'string' ? reply : JSON.stringify(reply);
    this.dispatchEvent(new Event('load'));
  }
}

const invalidated: string[] = [];

beforeEach(() => {
  AnsweredRequest.sent.length = 0;
  invalidated.length = 0;
  vi.stubGlobal('XMLHttpRequest', AnsweredRequest);
  connectSession({
    token: () => 't',
    socketId: () => undefined,
    tokenRenewed: () => undefined,
    factorDemanded: () => undefined,
    tokenInvalidated: (token) => invalidated.push(token),
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

function begin(onProgress: (share: number) => void = () => undefined) {
  const file = new File(['x'], 'a.txt');
  const upload = uploadFile(fileRoutes.uploadFiles, { file, fields: { caseId: 'c' }, onProgress });
  const request = AnsweredRequest.sent.at(-1);
  if (!request) throw new Error('Nothing was sent');
  return { upload, request };
}

test('an upload sends the fields before the file, with the token, and reports progress', async () => {
  const shares: number[] = [];
  const { upload, request } = begin((share) => shares.push(share));
  expect([...(request.body?.keys() ?? [])]).toEqual(['caseId', fileRoutes.uploadFiles.file]);
  expect(request.headers['x-auth-token']).toBe('t');
  request.upload.dispatchEvent(new ProgressEvent('progress', { loaded: 1, total: 4 }));
  request.answer(200, { statusCode: 200, message: 'File uploaded', body: { urls: ['/a'] } });
  await expect(upload.done).resolves.toEqual({ urls: ['/a'] });
  expect(shares).toEqual([0.25]);
});

test('an upload ends the session when the token is invalid', async () => {
  const { upload, request } = begin();
  request.answer(400, {
    statusCode: 400,
    code: 'invalidToken',
    message: 'Unauthorized token provided',
    body: null,
  });
  await expect(upload.done).rejects.toMatchObject({ status: 400, code: 'invalidToken' });
  expect(invalidated).toEqual(['t']);
});

test('an upload reports the reason of a refusal, and a general message for other failures', async () => {
  const refused = begin();
  refused.request.answer(413, {
    statusCode: 413,
    code: 'tooLarge',
    message: 'Too large',
    body: null,
  });
  await expect(refused.upload.done).rejects.toMatchObject({ status: 413, message: 'Too large' });
  const broken = begin();
  broken.request.answer(502, '<html>');
  const words = 'Something went wrong, Please try again';
  await expect(broken.upload.done).rejects.toMatchObject({ status: 502, message: words });
  const lost = begin();
  lost.request.dispatchEvent(new Event('error'));
  await expect(lost.upload.done).rejects.toMatchObject({ status: 0, message: words });
  expect(invalidated).toEqual([]);
});

test('an upload stops when it is canceled', async () => {
  const { upload } = begin();
  upload.cancel();
  await expect(upload.done).rejects.toMatchObject({ name: 'AbortError' });
});
