import { expect, test } from 'vitest';
import { matterOfMail } from './mail-matter.ts';

test('what comes from a mail belongs to the matter where it was filed last, else to the proposed one', () => {
  const proposedCase = { id: 'b', caseName: 'B', reason: 'Case number 7 appears in it' };
  const place = (id: string) => ({ case: { id, caseName: id.toUpperCase() }, url: '', at: '' });
  expect(matterOfMail({ filed: [], proposedCase: null })).toBeNull();
  expect(matterOfMail({ filed: [], proposedCase })).toEqual({
    id: 'b',
    label: 'B',
    reason: 'Case number 7 appears in it',
  });
  expect(matterOfMail({ filed: [place('c'), place('a')], proposedCase })).toEqual({
    id: 'a',
    label: 'A',
    reason: 'This email is filed there',
  });
});
