import type { Person } from '@matterdesk/contract/cases.ts';
import type {
  AskedName,
  Check,
  Decision,
  Found,
  Hit,
  MadeDecision,
  Outcome,
  VisibleHit,
  Severity,
  Source,
} from '@matterdesk/contract/conflicts.ts';
import { fullName } from '../../core/full-name.ts';
import { roleNames } from '../../core/party-roles.ts';
import { counted, formatList } from '../../core/words.ts';

/** Worst first, as the page lists them. */
const ranks: Record<Severity | 'hidden', number> = {
  direct: 0,
  former: 1,
  prospective: 2,
  personal: 3,
  hidden: 4,
  related: 5,
  known: 6,
  mention: 7,
};

export const severityNames: Record<Severity | 'hidden', string> = {
  direct: 'Direct',
  former: 'Former',
  prospective: 'Prospective',
  personal: 'Personal',
  hidden: 'Hidden',
  related: 'Related',
  known: 'Known',
  mention: 'Mention',
};

export const decisionNames: Record<Decision, string> = {
  noConflict: 'No conflict',
  asked: 'Asked',
  waiver: 'Waiver',
  wall: 'Wall',
  decline: 'Decline',
};

export const outcomeNames: Record<Outcome, string> = {
  cleared: 'Cleared',
  clearedWithConditions: 'Cleared with conditions',
  declined: 'Declined',
};

export const sourceNames: Record<Source, string> = {
  parties: 'Parties of matters',
  contacts: 'Contacts',
  intakes: 'Intakes',
  people: 'People of the firm',
  correspondents: 'Mail, texts',
  caseNames: 'Matter names',
  fileNames: 'File names',
  texts: 'Text of files',
};

/** Whether a hit keeps a check from being concluded until it is decided. */
export function needsDecision({ severity }: Pick<Hit, 'severity'>): boolean {
  return ranks[severity] < ranks.known;
}

type Answers = Pick<Check, 'answers'>;

/** Decisions about a hit; for a hidden one, the answers given to people who cannot see it. */
export function decisionsOf({ answers }: Answers, hit: Hit): readonly MadeDecision[] {
  return hit.severity === 'hidden' ? answers.filter((one) => one.hit === hit.id) : hit.decisions;
}

export function isUndecided(check: Answers, hit: Hit): boolean {
  return needsDecision(hit) && decisionsOf(check, hit).length === 0;
}

/** Worst first, the surest first among equals. */
export function worstFirst(hits: readonly Hit[]): Hit[] {
  const scoreOf = (hit: Hit) => (hit.severity === 'hidden' ? 1 : hit.score);
  return hits.toSorted(
    (a, b) => ranks[a.severity] - ranks[b.severity] || scoreOf(b) - scoreOf(a) || a.name - b.name,
  );
}

/** 'No match', '2 possible conflicts', '1 match, no conflict'. */
export function nameCheckInWords(hits: readonly Hit[]): { words: string; isConflict: boolean } {
  const conflicts = hits.filter(needsDecision).length;
  if (conflicts > 0)
    return {
      words: counted(conflicts, 'possible conflict'),
      isConflict: true,
    };
  if (hits.length === 0) return { words: 'No match', isConflict: false };
  const words = `${counted(hits.length, 'match', 'matches')}, no conflict`;
  return { words, isConflict: false };
}

/** 'Ask Rune Lindqvist or Jun Tanaka' */
export function askInWords(people: readonly Person[]): string {
  return people.length === 0 ? 'Ask an admin' : `Ask ${formatList(people.map(fullName), 'or')}`;
}

/** 'Client', 'Judge', 'Attorney', 'Sender or recipient'. */
export function roleOf({ role }: Pick<Found, 'role'>): string {
  const others: Record<string, string> = {
    attorney: 'Attorney',
    person: 'Person of the firm',
    correspondent: 'Sender or recipient',
    caseName: 'Name of the matter',
    fileName: 'File',
    text: 'Text of a file',
    contact: 'Contact',
  };
  return (roleNames as Record<string, string>)[role] ?? others[role] ?? 'Contact';
}

/** Why the severity applies: 'client now', 'opposing party, archived'. */
export function whyOf(hit: VisibleHit): string {
  const role = roleOf(hit.found).toLowerCase();
  if (hit.severity === 'direct') return `${role} now`;
  if (hit.severity === 'former') return `${role}, archived`;
  if (hit.severity === 'prospective') return 'once an intake';
  if (hit.severity === 'personal') return 'of the firm';
  if (hit.severity === 'known') return 'same side';
  return role;
}

/** 'Rosa Reyes, client in Reyes v. Jansen, active'; a hidden hit shows only the name that matches it. */
export function placeInWords(hit: Hit, asked: string): string {
  if (hit.severity === 'hidden') return `${asked}, in a matter you can’t see`;
  const { name, case: matter, intake } = hit.found;
  const role = roleOf(hit.found).toLowerCase();
  if (matter) return `${name}, ${role} in ${matter.caseName}, ${stateOf(hit.found)}`;
  return intake ? `${name}, ${role} in intake ${intake.number}` : `${name}, ${role}`;
}

/** 'Contacts', 'active', 'archived' */
export function stateOf({ case: matter }: Found): string {
  if (!matter) return '';
  return matter.statusType === 'Active' ? 'active' : 'archived';
}

/** The role of an asked name in words. */
export function askedRole({ role }: Pick<AskedName, 'role'>): string {
  return role === null ? 'Any role' : roleNames[role];
}

/** 'searched 41,208 names in 7 places' */
export function searchedInWords({ searched }: Pick<Check, 'searched'>): string {
  const names = searched.reduce((sum, { count }) => sum + count, 0);
  return `searched ${counted(names, 'name')} in ${counted(searched.length, 'place')}`;
}

/** 'No hits', '1 hit', '6 hits, 3 without a decision'. */
export function hitsInWords(check: Answers, hits: readonly Hit[]): string {
  if (hits.length === 0) return 'No match';
  const open = hits.filter((hit) => isUndecided(check, hit)).length;
  const all = counted(hits.length, 'hit');
  return open === 0 ? all : `${all}, ${open} without a decision`;
}
