import type { MailSummary } from '@matterdesk/contract/mails.ts';

type Rows = { ids: string[]; nextCursor: string | null };

/**
 * What a list is after its beginning was read again. Rows that were read behind it stay where the new
 * beginning reaches them; what is missing inside of it is gone.
 */
export function mergeFirstPage(
  { ids, nextCursor }: Rows,
  page: { mails: readonly Pick<MailSummary, 'id'>[]; nextCursor: string | null },
): Rows {
  const first = page.mails.map(({ id }) => id);
  const end = ids.indexOf(first.at(-1) ?? '');
  if (end < 0 || page.nextCursor === null) return { ids: first, nextCursor: page.nextCursor };
  const behind = ids.slice(end + 1);
  if (behind.length === 0) return { ids: first, nextCursor: page.nextCursor };
  return { ids: [...new Set([...first, ...behind])], nextCursor };
}
