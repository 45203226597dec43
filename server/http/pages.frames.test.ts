import { expect, test } from 'vitest';
import { frameUrls } from '@matterdesk/contract/frames.ts';
import { suite } from '../testing/app.ts';

const { app } = suite({});
test.each(Object.values(frameUrls))('%s is an empty page without scripts', async (url) => {
  const reply = await app.request(url);
  expect(reply.status).toBe(200);
  const policy = reply.headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/^default-src 'none';/);
  expect(policy).not.toMatch(/script-src|connect-src|allow-scripts|allow-forms/);
  expect(policy).toContain("frame-ancestors 'self'");
  expect(policy).toMatch(/; sandbox /);
  expect(reply.headers.get('x-frame-options')).toBe('SAMEORIGIN');
  expect(reply.headers.get('referrer-policy')).toBe('no-referrer');
  expect(reply.text).not.toContain('<script');
});

test('allows remote images on one of the pages only', async () => {
  const policies = await Promise.all(
    [frameUrls.closed, frameUrls.remoteImages].map(async (url) => {
      const reply = await app.request(url);
      return /img-src ([^;]*)/.exec(reply.headers.get('content-security-policy') ?? '')?.[1];
    }),
  );
  expect(policies).toEqual(['data: blob:', 'data: blob: https: http:']);
});
