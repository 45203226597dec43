import {
  severities,
  type Found,
  type HitMatch,
  type MadeDecision,
  type Severity,
} from '@matterdesk/contract/conflicts.ts';
import type { NameSource } from '../../../db/names.ts';

/** A complete hit as it is stored. Its visibility is decided when it is read. */
export type StoredHit = {
  id: string;
  /** Index of the asked name. */
  name: number;
  severity: Severity;
  match: HitMatch;
  score: number;
  reason: string;
  found: Found;
  isWhole: boolean;
  /** The row where the name was found, and the user whose mail or texts it comes from. */
  of: {
    source: NameSource | 'texts';
    id: string;
    ownerId: string | null;
    fileId: string | null;
    /** Contacts that the reader must be able to see; absent in old records. */
    contactIds?: string[];
  };
};

type StatusType = 'Active' | 'Archive';
type Place = { source: NameSource | 'texts'; role: string; statusType: StatusType | undefined };

const CLIENT_SIDE = new Set(['client', 'guardian', 'coCounsel']);
const OTHER_SIDE = new Set(['opposingParty', 'opposingCounsel']);
/** Sources that mention a name without it being part of the matter. */
const MENTIONS = new Set<string>(['caseNames', 'fileNames', 'texts', 'correspondents']);
/** Matches that reveal the existence of a hit even to those who may not see it. */
const REVEALING = new Set<HitMatch>(['identifier', 'exact', 'nickname', 'phonetic']);

function sideOf(role: string): 'client' | 'other' | undefined {
  if (CLIENT_SIDE.has(role)) return 'client';
  return OTHER_SIDE.has(role) ? 'other' : undefined;
}

/** Severity of finding an asked name in a place; without a role, the worst that is possible. */
export function severityOf(asked: string | null, { source, role, statusType }: Place): Severity {
  if (source === 'people') return 'personal';
  if (MENTIONS.has(source)) return 'mention';
  const there = sideOf(role);
  if (asked === role && there === undefined) return 'known';
  const here = asked === null ? undefined : sideOf(asked);
  if (there === undefined || (asked !== null && here === undefined)) return 'related';
  if (asked !== null && here === there) return 'known';
  // A contact without a matter takes no side.
  if (statusType === undefined) return source === 'intakes' ? 'prospective' : 'related';
  return statusType === 'Active' ? 'direct' : 'former';
}

function rankOf(severity: Severity): number {
  return severities.indexOf(severity);
}

/** Worst first, then the surest. */
function worstFirst(one: StoredHit, other: StoredHit): number {
  return (
    one.name - other.name ||
    rankOf(one.severity) - rankOf(other.severity) ||
    other.score - one.score ||
    one.found.name.localeCompare(other.found.name)
  );
}

/** Whether a check can't be concluded before the hit is decided. */
export function needsDecision({ severity }: { severity: Severity | 'hidden' }): boolean {
  return severity === 'hidden' || rankOf(severity) < rankOf('known');
}

/** The address or digits that matched; undefined for a matching name. */
export function identifierOf({ reason }: Pick<StoredHit, 'reason'>): string | undefined {
  // Older checks wrote the address with a hyphen.
  return /^Same (?:e-?mail address: |phone number: \+)(\S+)\.(?: |$)/.exec(reason)?.[1];
}

/** Whether those who may not see the hit learn of its existence. */
export function isDisclosed({ match, isWhole }: StoredHit): boolean {
  return isWhole && REVEALING.has(match);
}

/** Worst first. Drops mentions of a name in a matter that has another hit for it, and repeated hits. */
export function withoutRepeats(hits: StoredHit[]): StoredHit[] {
  const seen = new Set<string>();
  return hits.toSorted(worstFirst).filter((hit) => {
    const place = hit.found.case?.id ?? hit.found.intake?.id ?? `${hit.of.source} ${hit.of.id}`;
    const isMention = hit.severity === 'mention';
    const key = `${hit.name} ${place}`;
    if (isMention && seen.has(key)) return false;
    const exact = `${key} ${hit.found.role} ${hit.found.name.toLowerCase()}`;
    if (seen.has(exact)) return false;
    seen.add(key).add(exact);
    return true;
  });
}

/** Key that connects a hit with its decisions in earlier checks. */
export function keyOf(asked: string, hit: StoredHit): string {
  return `${asked.trim().toLowerCase()}\n${hit.of.source} ${hit.of.id}\n${hit.found.name.toLowerCase()}`;
}

/** A decision as it is stored in an entry. */
export type StoredDecision = Omit<MadeDecision, 'by' | 'at'> & { hitIds: string[] };

/** Case, folder and name of a file's address; undefined for anything else. */
export function parseFileUrl(url: string) {
  const parts = /^\/api\/v1\/files\/content\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(url)?.slice(1) ?? [];
  try {
    const [caseId, folder, name] = parts.map(decodeURIComponent);
    return caseId && folder && name ? { caseId, folder, name } : undefined;
  } catch {
    return undefined;
  }
}
