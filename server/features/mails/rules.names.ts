import { normalized } from '@matterdesk/contract/normalization.ts';

const LONGEST_NAME = 200;

export function attachmentName(sent: string): string {
  const last = sent.split(/[/\\]/).at(-1) ?? '';
  return onOneLine(last).slice(-LONGEST_NAME) || 'attachment';
}

/** File name of a filed or forwarded mail: its date and subject. */
export function fileName(subject: string, date: string): string {
  const about = onOneLine(subject).replaceAll(/[/\\:*?"<>|]/g, '_');
  const words = [...about]
    .slice(0, 100)
    .join('')
    .replaceAll(/^[\s.]+|(?<![\s.])[\s.]+$/g, '');
  return `${date.slice(0, 10)} ${words || 'Email without subject'}.eml`;
}

function onOneLine(text: string): string {
  return normalized(text.toWellFormed())
    .replaceAll(/[\p{Cc}\u202A-\u202E\u2066-\u2069\s]+/gu, ' ')
    .trim();
}
