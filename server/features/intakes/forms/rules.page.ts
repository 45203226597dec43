import { createHash } from 'node:crypto';
import type { FormDocument } from '@matterdesk/contract/intake-form-page.ts';

/** A page, and the policy that lets its own style in and nothing else. */
export type Page = { html: string; policy: string };

/** @param origins of sites that may frame it */
export function toPage(
  { title, style, body }: FormDocument,
  origins: readonly string[] = [],
): Page {
  const hash = createHash('sha256').update(style).digest('base64');
  const frames = origins.length > 0 ? origins.join(' ') : "'none'";
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title><style>${style}</style></head>
<body>${body}</body></html>`;
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${frames}`,
  ].join('; ');
  return { html, policy };
}
