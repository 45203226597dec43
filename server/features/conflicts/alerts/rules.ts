import { createHash } from 'node:crypto';
import { partyRoles, severities, type AskedName } from '@matterdesk/contract/conflicts.ts';
import type { UncheckedName } from '../../../db/names.ts';
import type { StoredHit } from '../checks/rules.ts';

export type Subject = { caseId: string | null; intakeId: string | null };

const SOURCES = new Set<string>(['parties', 'contacts', 'intakes', 'people']);
/** The severities that raise an alert. */
const ALARMING = new Set<string>(severities.slice(0, severities.indexOf('personal') + 1));

/** Whether a name raises alerts: not one that is merely mentioned, nor the attorney of a case. */
export function raisesAlerts({ source, role }: UncheckedName): boolean {
  return SOURCES.has(source) && role !== 'attorney';
}

export function toAsked({ name, identifiers }: UncheckedName, role: string): AskedName {
  return {
    name,
    role: partyRoles.find((known) => known === role) ?? null,
    emails: identifiers.filter((one) => one.includes('@')),
    phoneNumbers: identifiers.filter((one) => !one.includes('@')).map((digits) => `+${digits}`),
    otherNames: [],
  };
}

/**
 * The hits that raise alerts. A match with a member of the firm is personal, whichever side the party is on. Ignores
 * self-matches, and matches of colleagues, many of whom share the office's number.
 */
export function alarmingHits(
  { source, source_id: id, contact_id: contactId }: UncheckedName,
  hits: StoredHit[],
): StoredHit[] {
  const others = hits.filter(
    ({ of, found }) =>
      (of.source !== source || of.id !== id) &&
      (source !== 'people' || found.source !== 'people') &&
      (contactId === null || !of.contactIds?.includes(contactId)),
  );
  const rated =
    source === 'people' ? others.map((hit) => ({ ...hit, severity: 'personal' as const })) : others;
  return rated.filter(
    ({ severity, found }) => ALARMING.has(severity) && found.source !== 'caseNames',
  );
}

/** A digest of a pair of names, equal in both directions, that reveals neither name. */
export function pairOf(asked: { name: string; place: string }, hit: StoredHit): string {
  const keyOf = (name: string, place: string) => `${place} ${name.trim().toLowerCase()}`;
  const { case: matter, intake, name } = hit.found;
  const place = matter?.id ?? intake?.id ?? hit.of.id;
  const both = [keyOf(asked.name, asked.place), keyOf(name, place)];
  const [one = '', other = ''] = both.toSorted((a, b) => (a < b ? -1 : 1));
  return createHash('sha256').update(`${one}\n${other}`).digest('hex');
}
