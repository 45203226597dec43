import { MAX_MAIL_TEXT } from '@matterdesk/contract/mails.ts';
import type { Written } from './rules.writing.ts';

/** With the signature below what is written anew, and above what is quoted. */
export function signed(written: Written, signature: string): Written {
  if (signature === '') return written;
  const { text } = written;
  const isQuoteAlone = text === '' || text.startsWith('\n');
  return {
    ...written,
    text: (isQuoteAlone ? `\n\n${signature}${text}` : `${text.trimEnd()}\n\n${signature}`).slice(
      0,
      MAX_MAIL_TEXT,
    ),
  };
}
