import { expect, test } from 'vitest';
import { insertAudits } from '../db/audit.ts';
import type { Transaction } from '../db/schema.ts';
import { startTestApp, findUnknownWords } from './app.ts';

test('a test application fails at its end when an audited field or act has no words', async () => {
  const app = await startTestApp();
  const entry = { entity: 'case', entityId: null, action: 'created' } as const;
  const record = (own: object) =>
    app.db
      .transaction()
      .execute((trx) => insertAudits(trx as Transaction, null, [{ ...entry, ...own }]));
  await record({ after: { judge: 'A', clientInfo: { name: 'B' }, updatedAt: 'now' } });
  expect(await findUnknownWords(app.pool)).toEqual([]);
  await record({ action: 'turned', after: { venue: 'A', clientInfo: { age: 7 } } });
  await record({ entity: 'contact', after: { shoeSize: 7 } });
  const unknown = ['case turned', 'case.clientInfo.age', 'case.venue', 'contact.shoeSize'];
  expect((await findUnknownWords(app.pool)).toSorted()).toEqual(unknown);
  await expect(app.close()).rejects.toThrow('has no words for');
});
