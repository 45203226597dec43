import type { Case, CaseSort, StatusType, Activity } from '@matterdesk/contract/cases.ts';
import { normalized } from '@matterdesk/contract/normalization.ts';
import { searchWords } from '@matterdesk/contract/search.ts';
import { solInEffect } from '@matterdesk/contract/sol-in-effect.ts';

/** A tab, its search and filters, and its order; without `sort` newest first. */
export type ListQuery = {
  statusType: StatusType;
  search: string;
  sort?: CaseSort | undefined;
  status?: Case['status'] | undefined;
  type?: Case['type'] | undefined;
  /** The id of a member of the team. */
  assigned?: string | undefined;
  /** Only cases that are not filed yet and lack something. */
  incomplete?: '1' | undefined;
};

/** Whether a list holds only some cases of its tab. */
export function isNarrowed({ search, status, type, assigned, incomplete }: ListQuery): boolean {
  return (
    [status, type, assigned, incomplete].some((filter) => filter !== undefined) || search !== ''
  );
}

export function belongs(matter: Case | undefined, query: ListQuery): boolean {
  const { statusType, search, status, type, assigned, incomplete } = query;
  if (matter?.statusType !== statusType) return false;
  if (status !== undefined && matter.status !== status) return false;
  if (type !== undefined && matter.type !== type) return false;
  if (assigned !== undefined && !matter.assignedUsers.some(({ id }) => id === assigned))
    return false;
  if (incomplete !== undefined && matter.incomplete.length === 0) return false;
  return search === '' || matchesSearch(matter, search);
}

type Order = (a: Case, b: Case) => number;
type Key = 'newest' | 'sol' | 'caseName' | 'daysOpen';

const names = new Intl.Collator('und');
const byText = (a: string, b: string) => (a < b ? -1 : Number(a > b));
/** A case without a date follows all others. */
const solOf = (matter: Case) => solInEffect(matter) ?? 'none';
const byAge: Order = (a, b) => byText(a.createdAt, b.createdAt);
const ORDERS: Record<Key, Order> = {
  newest: (a, b) => byAge(b, a),
  sol: (a, b) => byText(solOf(a), solOf(b)) || byAge(a, b),
  caseName: (a, b) => names.compare(a.caseName, b.caseName) || byAge(a, b),
  daysOpen: (a, b) => a.daysOpen - b.daysOpen || byAge(a, b),
};

/** Compares two cases as the server's list does. */
export function orderOf({ sort = 'newest' }: ListQuery): Order {
  const isTurned = sort.startsWith('-');
  const order = ORDERS[(isTurned ? sort.slice(1) : sort) as Key];
  return isTurned ? (a, b) => order(b, a) : order;
}

/** Whether the server's search matches: each word is a literal part of some field, ignoring case. */
export function matchesSearch(matter: Case, search: string): boolean {
  const { clientInfo, opposingCounselInfo } = matter;
  const texts = [
    matter.caseName,
    matter.caseNo,
    matter.status,
    matter.type,
    matter.judge,
    matter.managingAttorney,
    ...Object.values(clientInfo),
    ...Object.values(opposingCounselInfo),
  ];
  const folded = texts.map((text) => fold(text ?? ''));
  return searchWords(search).every((word) => folded.some((text) => text.includes(fold(word))));
}

function fold(text: string): string {
  const folded = normalized(text).toLowerCase().toUpperCase().toLowerCase();
  return normalized(folded.replaceAll('ς', 'σ'));
}

export type ActivityFeed = { entries: Activity[]; nextCursor: string | null };

/** A story with its newest part refetched; older entries stay unless there is a gap. */
export function withNewest(story: ActivityFeed | null, newest: ActivityFeed): ActivityFeed {
  const last = newest.entries.at(-1);
  const at = story?.entries.findIndex(({ id }) => id === last?.id) ?? -1;
  if (!story || at < 0 || newest.nextCursor === null) return newest;
  return {
    entries: [...newest.entries, ...story.entries.slice(at + 1)],
    nextCursor: at === story.entries.length - 1 ? newest.nextCursor : story.nextCursor,
  };
}
