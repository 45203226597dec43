import type { Change } from '@matterdesk/contract/cases.ts';
import { formatDay } from '../ui/days.ts';
import { sizeInWords } from '../ui/size-in-words.ts';
import { fullMoment } from './words.ts';

const DAY_LENGTH = 10;

/** 'Feb 14, 2027', 'Nov 20, 2026, 10:42 AM', '31 kB', or the text itself. */
export function valueInWords(kind: Change['kind'], value: string): string {
  if (kind === 'bytes') return sizeInWords(Number(value));
  if (kind === 'text') return value;
  return value.length === DAY_LENGTH ? formatDay(value) : fullMoment(value);
}
