import { createHash } from 'node:crypto';
import { partyRoles, severities, type AskedName } from '@matterdesk/contract/conflicts.ts';
import type { UncheckedName } from '../../../db/names.ts';
import type { KeptHit } from '../checks/rules.ts';

export type Subject = { caseId: string | null; intakeId: string | null };

const SOURCES = new Set<string>(['parties', 'contacts', 'intakes', 'people']);
/** The severities that raise an alert. */
const ALARMING = new Set<string>(severities.slice(0, severities.indexOf('personal') + 1));

/** Whether a name takes part: what merely mentions a name raises no alert, nor do the attorneys of cases. */
export function isAsked({ source, role }: UncheckedName): boolean {
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
 * What someone of the firm shares with a party concerns the firm, whichever side that takes. No one meets themself, nor do
 * colleagues each other: many share the number of the office.
 */
export function weigh(
  { source, source_id: id, contact_id: contactId }: UncheckedName,
  hits: KeptHit[],
): KeptHit[] {
  const others = hits.filter(
    ({ of, found }) =>
      (of.source !== source || of.id !== id) &&
      (source !== 'people' || found.source !== 'people') &&
      (contactId === null || !of.contactIds?.includes(contactId)),
  );
  const weighed =
    source === 'people' ? others.map((hit) => ({ ...hit, severity: 'personal' as const })) : others;
  return weighed.filter(
    ({ severity, found }) => ALARMING.has(severity) && found.source !== 'caseNames',
  );
}

/** The same for both directions of a pair; no name can be read from it. */
export function pairOf(asked: { name: string; place: string }, hit: KeptHit): string {
  const keyOf = (name: string, place: string) => `${place} ${name.trim().toLowerCase()}`;
  const { case: matter, intake, name } = hit.found;
  const place = matter?.id ?? intake?.id ?? hit.of.id;
  const both = [keyOf(asked.name, asked.place), keyOf(name, place)];
  const [one = '', other = ''] = both.toSorted((a, b) => (a < b ? -1 : 1));
  return createHash('sha256').update(`${one}\n${other}`).digest('hex');
}
