import type { Deadline, DeadlineEntry } from '@matterdesk/contract/deadlines.ts';
import type { Entry } from '../../integrations/pdf/transcript.ts';
import { inWords } from './counting/rules.days.ts';

/** An entry of a history, and whether its hash still covers it and the one before. */
export type ProvenEntry = DeadlineEntry & { isSound: boolean };

function personIn(person: { firstName: string; lastName: string } | null): string {
  return person ? `${person.firstName} ${person.lastName}` : 'Matterdesk';
}

/** `2026-11-22 10:31:04 UTC` */
function instantIn(at: string): string {
  return `${at.slice(0, 19).replace('T', ' ')} UTC`;
}

/** What a deadline is, above its history. */
export function toChapter(deadline: Deadline): Entry {
  const { title, kind, hard, date, time, timeZone, status, basis } = deadline;
  const due = `${inWords(date)}${time === null ? ', end of the day' : `, ${time}`} (${timeZone})`;
  const people = [
    `Owner: ${deadline.owner ? personIn(deadline.owner) : 'none'}`,
    `Second: ${deadline.second ? personIn(deadline.second) : 'none'}`,
  ];
  const counted = (basis?.lines ?? []).map(
    ({ text, authority, date: day }) => `${inWords(day)}: ${text}${authority && `, ${authority}`}`,
  );
  return {
    head: `${hard ? 'HARD DEADLINE' : 'SOFT DEADLINE'}   ${kind}   ${status}`,
    body: `${title}: ${due}`,
    notes: [people.join('   '), verifiedIn(deadline), ...counted],
  };
}

function verifiedIn({ hard, verified, imported }: Deadline): string {
  if (!hard) return 'Soft: changed by its owner alone';
  if (verified) return `Verified by ${personIn(verified.by)}, ${instantIn(verified.at)}`;
  return imported ? 'Imported, not verified' : 'Not verified';
}

/** One line of a history, oldest first. */
export function toLine(entry: ProvenEntry): Entry {
  const { at, by, action, from, to, reason, hash, isSound } = entry;
  const change = [from, to].map((state) => (state === null ? '' : JSON.stringify(state)));
  const [before, after] = change;
  return {
    head: `${instantIn(at)}   ${personIn(by)}`,
    body: reason === '' ? action : `${action}: “${reason}”`,
    notes: [
      ...(before || after ? [`${before || '–'}  →  ${after || '–'}`] : []),
      isSound ? `Hash ${hash}` : `BROKEN HASH ${hash}: this entry or the one before was altered`,
    ],
  };
}
