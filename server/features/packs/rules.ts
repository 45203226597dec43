import { createHash } from 'node:crypto';
import type { Activity, Person } from '@matterdesk/contract/cases.ts';
import type { Contact, Party } from '@matterdesk/contract/contacts.ts';
import { type LeftOut, type Pack, type PackPart, packParts } from '@matterdesk/contract/packs.ts';
import type { PackedVolume } from '../../db/schema-packs.ts';
import type { ContactCard } from '../../integrations/icalendar/write.ts';

/** Stands before the first line of a chain. */
const ORIGIN = '0'.repeat(64);

export type PackRow = {
  id: string;
  n: number;
  by: Person;
  at: Date;
  state: Pack['state'];
  parts: Pack['parts'];
  left_out: LeftOut;
  volumes: PackedVolume[];
  files: number;
  /** A bigint is read as text. */
  bytes: string;
  manifest_sha256: Buffer | null;
  expires_at: Date | null;
  error: string | null;
};

export function toPack(row: PackRow): Pack {
  return {
    n: row.n,
    state: row.state,
    parts: row.parts,
    volumes: row.volumes.map(({ n, name, size, sha256 }) => ({ n, name, size, sha256 })),
    files: row.files,
    bytes: Number(row.bytes),
    leftOut: row.left_out,
    manifestSha256: row.manifest_sha256?.toString('hex') ?? null,
    by: row.by,
    at: row.at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
    error: row.error,
  };
}

/** Files and bytes of each wanted part, also of those that have none. */
export function sumParts(
  wanted: readonly PackPart[],
  items: readonly { part: PackPart | null; size: number }[],
): Pack['parts'] {
  return packParts
    .filter((part) => wanted.includes(part))
    .map((part) => {
      const own = items.filter((item) => item.part === part);
      return { part, files: own.length, bytes: own.reduce((sum, { size }) => sum + size, 0) };
    });
}

/** Lines of a record, each with the hash of the one before. */
export class Chain {
  #seq = 0;
  #head = ORIGIN;

  /** SHA-256 of the last line, in hexadecimal. */
  get head(): string {
    return this.#head;
  }

  lineOf({ at, actor, action, entity, entityId, name, detail, changes }: Activity): string {
    this.#seq += 1;
    const said = { action, entity, entityId, name, detail, changes };
    const line = JSON.stringify({ seq: this.#seq, at, actor, ...said, prev: this.#head });
    this.#head = createHash('sha256').update(line).digest('hex');
    return `${line.slice(0, -1)},"hash":"${this.#head}"}\n`;
  }
}

/** A party as address books read it; the note says its role in the matter. */
export function cardOf(contact: Contact, parties: readonly Party[]): ContactCard {
  const { id, kind, name, otherNames, organisation, emails, phoneNumbers, fax } = contact;
  const roles = parties
    .filter((party) => party.contact.id === id)
    .map(({ role, note }) => [role, note].filter(Boolean).join(': '));
  return {
    id,
    isOrganization: kind === 'organisation',
    name,
    otherNames,
    organization: organisation,
    emails,
    phoneNumbers,
    fax,
    address: contact.address,
    dateOfBirth: contact.dateOfBirth,
    note: [...roles, contact.notes ?? ''].filter(Boolean).join('\n'),
    modified: contact.updatedAt,
  };
}
