// A check as PDF, with what its reader may see.

import type { Readable } from 'node:stream';
import type { Person } from '@matterdesk/contract/cases.ts';
import type { Check, Hit, MadeDecision } from '@matterdesk/contract/conflicts.ts';
import type { Context } from '../../../context.ts';
import { fullName } from '../../../core/actor.ts';
import { minuteInUtc } from '../../../core/words.ts';
import type { Entry, Heading } from '../../../integrations/pdf/transcript.ts';

export function printCheck(context: Context, check: Check): Readable {
  return context.paper.write(headingOf(check), batch(check.hits.map((hit) => toEntry(check, hit))));
}

export function pdfNameOf({ number }: Check): string {
  return `Conflict check ${number}.pdf`;
}

function headingOf(check: Check): Heading {
  const { number, at, by, names, subject, searched, concluded, sha256 } = check;
  const counts = searched.map(({ source, count }) => `${inWords(source)} ${count}`).join(', ');
  const facts = [
    ['About', subject?.name],
    ['Run', `${minuteInUtc(at)}${byOf(by)}`],
    ...names.map(({ name, role }) => [role ? inWords(role) : 'Name', name] as const),
    ['Searched', counts],
    [
      'Outcome',
      concluded
        ? `${inWords(concluded.outcome)}, ${minuteInUtc(concluded.at)}${byOf(concluded.by)}: ${concluded.reason}`
        : 'Not concluded',
    ],
    ['SHA-256', sha256],
  ] as const;
  return {
    title: `Conflict check ${number}`,
    facts: facts.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }])),
    ending: { of: 'conflict check', entries: 'hits' },
  };
}

function toEntry({ names, answers }: Check, hit: Hit): Entry {
  const asked = names[hit.name]?.name ?? '';
  if (hit.severity === 'hidden') {
    const people = hit.ask.map(fullName).join(', ');
    const notes = answers.filter((answer) => answer.hit === hit.id).map(decided);
    return { head: `Hidden · ${asked}`, body: `Ask ${people}`, notes };
  }
  const notes = [
    ...hit.before.map((one) => `Before: ${decided(one)}`),
    ...hit.decisions.map(decided),
  ];
  const { found, reason, severity, match } = hit;
  const place =
    found.case?.caseName ?? found.intake?.name ?? found.file?.name ?? inWords(found.source);
  const body = `${found.name}, ${inWords(found.role)}, ${place}\n${reason}`;
  return { head: `${inWords(severity)} · ${inWords(match)} · ${asked}`, body, notes };
}

function decided({ decision, reason, by, at }: MadeDecision): string {
  return `${inWords(decision)}, ${minuteInUtc(at)}${byOf(by)}: ${reason}`;
}

/** `Opposing party` for `opposingParty`; leaves other texts as they are. */
function inWords(name: string): string {
  if (!/^[a-z]+(?:[A-Z][a-z]*)*$/.test(name)) return name;
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function byOf(person: Person | null): string {
  return person ? ` by ${fullName(person)}` : '';
}

async function* batch(entries: Entry[]): AsyncGenerator<Entry[]> {
  yield entries;
}
