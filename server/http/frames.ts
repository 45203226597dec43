import type { FastifyInstance } from 'fastify';
import { frameUrls } from '@matterdesk/contract/frames.ts';

const PAGE =
  '<!doctype html><html lang="en"><head><title>Content</title></head><body></body></html>';

/**
 * Serves the empty pages that frame untrusted HTML (docs/decisions/0012): each has its own policy, because a srcdoc frame
 * would inherit the policy of its page.
 */
export function serveFrames(app: FastifyInstance) {
  for (const [url, images] of [
    [frameUrls.closed, 'data: blob:'],
    [frameUrls.remoteImages, 'data: blob: https: http:'],
  ] as const)
    app.get(url, async (_request, reply) =>
      reply
        .header('content-security-policy', policyOf(images))
        .header('x-frame-options', 'SAMEORIGIN')
        .header('referrer-policy', 'no-referrer')
        .header('cache-control', 'no-cache')
        .type('text/html; charset=utf-8')
        .send(PAGE),
    );
}

function policyOf(images: string): string {
  return [
    "default-src 'none'",
    `img-src ${images}`,
    "style-src 'unsafe-inline'",
    'font-src data: blob:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox',
  ].join('; ');
}
