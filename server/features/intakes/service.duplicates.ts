import type { IntakeDuplicate } from '@matterdesk/contract/intakes.ts';
import type { Scoped } from '../../db/schema.ts';
import { listKnown } from '../contacts/service.knowing.ts';
import * as rules from './rules.ts';
import { listTwins } from './store.entries.ts';
import type { ShownRow } from './store.ts';

/** Possible duplicates with the reason for each. Never merges. */
export async function listDuplicates(db: Scoped, row: ShownRow): Promise<IntakeDuplicate[]> {
  const [known, twins] = await Promise.all([
    isPersonKnown(row)
      ? []
      : listKnown(db, { name: row.name, email: row.email, phoneNumber: row.phone_number }),
    listTwins(db, row),
  ]);
  return [
    ...known.map(({ id, same, name }) => ({
      kind: 'contact' as const,
      id,
      reason: `Same ${same} as the contact ${name}`,
    })),
    ...twins.map((twin) => ({
      kind: 'intake' as const,
      id: twin.id,
      reason: `Same ${twin.same} as intake ${twin.number}, ${rules.describeStage(twin)}`,
    })),
  ];
}

/** Someone chose the contact, it is the client of the matter by now, or it is to be forgotten. */
function isPersonKnown({ contact_id, case_id, erased_at }: ShownRow): boolean {
  return contact_id !== null || case_id !== null || erased_at !== null;
}
