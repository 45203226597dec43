import {
  severities,
  type Found,
  type HitMatch,
  type MadeDecision,
  type Severity,
} from '@matterdesk/contract/conflicts.ts';
import type { NameSource } from '../../../db/names.ts';

/** A hit as it is kept: whole. Who may see it is decided when it is read. */
export type KeptHit = {
  id: string;
  /** The asked name, by its place. */
  name: number;
  severity: Severity;
  match: HitMatch;
  score: number;
  reason: string;
  found: Found;
  isWhole: boolean;
  /** What it stands on, and whose mail or texts it comes from. */
  of: {
    source: NameSource | 'texts';
    id: string;
    ownerId: string | null;
    fileId: string | null;
    /** Contacts that its reader must see; absent in old records. */
    contactIds?: string[];
  };
};

export type StatusType = 'Active' | 'Archive';
type Place = { source: NameSource | 'texts'; role: string; statusType: StatusType | undefined };

const CLIENT_SIDE = new Set(['client', 'guardian', 'coCounsel']);
const OTHER_SIDE = new Set(['opposingParty', 'opposingCounsel']);
/** Sources where a name is written, without being a part of the matter. */
const MENTIONS = new Set<string>(['caseNames', 'fileNames', 'texts', 'correspondents']);
/** Matches by which even those who may not see a hit learn that there is one. */
const REVEALING = new Set<HitMatch>(['identifier', 'exact', 'nickname', 'phonetic']);

function sideOf(role: string): 'client' | 'other' | undefined {
  if (CLIENT_SIDE.has(role)) return 'client';
  return OTHER_SIDE.has(role) ? 'other' : undefined;
}

/** How bad it is that an asked name is found there. Without a role, the worst that it can be. */
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
function worstFirst(one: KeptHit, other: KeptHit): number {
  return (
    one.name - other.name ||
    rankOf(one.severity) - rankOf(other.severity) ||
    other.score - one.score ||
    one.found.name.localeCompare(other.found.name)
  );
}

/** Whether it must be decided before a check is concluded. */
export function needsDecision({ severity }: { severity: Severity | 'hidden' }): boolean {
  return severity === 'hidden' || rankOf(severity) < rankOf('known');
}

/** The address or the digits by which a hit was found; undefined for one by its name. */
export function identifierOf({ reason }: Pick<KeptHit, 'reason'>): string | undefined {
  return /^Same (?:e-mail address: |phone number: \+)(\S+)\.(?: |$)/.exec(reason)?.[1];
}

/** Whether those who may not see it learn that there is a hit. */
export function isRevealing({ match, isWhole }: KeptHit): boolean {
  return isWhole && REVEALING.has(match);
}

/** Of a matter the worst hit of a name; what merely mentions the name there adds nothing. */
export function withoutRepeats(hits: KeptHit[]): KeptHit[] {
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

/** By which decisions of earlier checks are found again. */
export function keyOf(asked: string, hit: KeptHit): string {
  return `${asked.trim().toLowerCase()}\n${hit.of.source} ${hit.of.id}\n${hit.found.name.toLowerCase()}`;
}

/** A decision as it is kept in an entry. */
export type KeptDecision = Omit<MadeDecision, 'by' | 'at'> & { hitIds: string[] };

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
