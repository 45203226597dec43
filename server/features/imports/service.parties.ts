// Parties of matters: which contact stands in which role.

import type { SourceRow } from '../../integrations/exports/row.ts';
import {
  changeImportedParty,
  findSameParties,
  type ImportedParty,
  importParties,
  lockImportedParties,
  removeImportedParties,
} from '../contacts/service.imports.ts';
import * as fields from './rules.fields.ts';
import * as texts from './rules.texts.ts';
import * as rules from './rules.ts';
import type { Draft, Kind, RefusedRow, Run } from './service.kinds.ts';
import { findMatters, withoutMatter } from './service.references.ts';

const NOTE_MAX = 1000;

export const partyKind: Kind = {
  kind: 'parties',
  taken: { field: 'role', message: 'This contact has this role in the matter already' },
  draft: draftParties,
  match: (_run, db, drafts) => findSameParties(db, drafts.map(partyOf)),
  current: async (trx, ids) => {
    const found = await lockImportedParties(trx, ids);
    return new Map(
      [...found].map(([id, { role, note }]) => [id, { role, note: note === '' ? null : note }]),
    );
  },
  insert: (_run, unit, drafts) => importParties(unit, drafts.map(partyOf)),
  update: async (_run, unit, changes) => {
    for (const { id, values } of changes) await changeImportedParty(unit, id, values);
  },
  remove: async (_run, unit, ids) => {
    await removeImportedParties(unit, ids);
    return new Map();
  },
};

function partyOf({ extra }: Draft): ImportedParty {
  return extra as ImportedParty;
}

async function draftParties(run: Run, rows: readonly SourceRow[]): Promise<(Draft | RefusedRow)[]> {
  const { references } = run;
  const matters = await findMatters(run, rows);
  const cellsOf = (field: string) => rows.flatMap(({ cells }) => cells[field]?.trim() ?? []);
  const byId = await references.byId('contacts', cellsOf('contact'));
  const byName = await references.byName('contacts', cellsOf('contactName'));
  return rows.map((row) => {
    const { cells } = row;
    const caseId = matters.get(row);
    if (caseId === undefined) return withoutMatter(row);
    const contact = cells['contact']?.trim() ?? '';
    const contactName = cells['contactName']?.trim() ?? '';
    const contactId = byId.get(contact) ?? byName.get(contactName);
    const named = contactName || contact;
    const field = contactName === '' ? 'contact' : 'contactName';
    if (contactId === undefined || rules.isPlaceholder(named))
      return { row, field, message: `No contact, or more than one, is named “${named}”` };
    return partyDraftOf(row, { caseId, contactId, named });
  });
}

function partyDraftOf(
  row: SourceRow,
  { caseId, contactId, named }: { caseId: string; contactId: string; named: string },
): Draft {
  const { id, role: word = '', note = '' } = row.cells;
  const role = fields.roleOf(word) ?? 'other';
  const rest = new texts.Leftovers();
  // A role that is none of ours is kept in its words.
  if (fields.roleOf(word) === null) rest.add('Role', word);
  rest.addAll(row.rest);
  const text = [texts.plain(note), rest.text.trim()].filter(Boolean).join('\n');
  const written = text.slice(0, NOTE_MAX);
  const values = { role, note: written === '' ? null : written };
  const key = id ?? `${caseId} ${contactId} ${role}`;
  return { row, key, name: named, values, extra: { caseId, contactId, role, note: written } };
}
