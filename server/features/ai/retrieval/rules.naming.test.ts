import { expect, test } from 'vitest';
import { looseNamings } from './rules.naming.ts';

const ASKED = 'may the tenant sublet';

test.each([
  ['From the Harrowgate lease: @?', 'the Harrowgate lease'],
  ['In the office lease, @?', 'the office lease'],
  ['In the Harrowgate lease how may the tenant sublet?', 'the Harrowgate lease'],
  ['For the September 2023 lease, @?', 'the September 2023 lease'],
  ['Per the lease of September 2023, @?', 'the lease of September 2023'],
  ['In Harrowgate’s lease, @?', 'Harrowgate’s lease'],
  ['Pinecrest lease - @?', 'Pinecrest lease'],
  ['The lease with Pinecrest Dental Group: @?', 'The lease with Pinecrest Dental Group'],
  ['Regarding Pinecrest Dental Group: @?', 'Pinecrest Dental Group'],
  ['Pinecrest: @?', 'Pinecrest'],
  ['office-lease.txt: @?', 'office-lease.txt'],
  ['According to the police report, @?', 'the police report'],
  ['According to the letter of Jane Doe, @?', 'the letter of Jane Doe'],
  ['Pinecrest lease, @?', 'Pinecrest lease'],
  ['office lease harrowgate: @?', 'office lease harrowgate'],
  ['[Office Lease] @?', 'Office Lease'],
  ['In re Pinecrest: @?', 'Pinecrest'],
  ['May the tenant sublet in the Pinecrest lease?', 'the Pinecrest lease'],
  ['May the tenant sublet under the Harrowgate office lease?', 'the Harrowgate office lease'],
  [
    'May the tenant sublet, per the office lease with Pinecrest?',
    'the office lease with Pinecrest',
  ],
  ['May the tenant sublet in office-lease.txt?', 'office-lease.txt'],
  ['May the tenant sublet? (Office Lease, Harrowgate)', 'Office Lease, Harrowgate'],
  ['May the tenant sublet? See the office lease.', 'the office lease'],
  ['May the tenant sublet – office lease', 'office lease'],
])('the document is named in "%s"', (form, name) => {
  const question = form.replace('@', ASKED);
  const [found] = [...looseNamings(question)];
  expect(found?.naming).toBe(name);
  expect(found?.asking.toLowerCase()).toContain(ASKED);
});

test.each([
  'In Ohio, may the landlord enter?',
  'Breach of the lease, what happens?',
  'In case of fire, who repairs the roof?',
  'Within how many days of the notice must the tenant pay?',
  'What does the insurance policy cover?',
  'How long do you keep my workouts?',
  'Who pays for the report?',
  'What is the rent, and when is it due?',
  'Is information that was told orally protected?',
])('no document is named in "%s"', (question) => {
  expect([...looseNamings(question)]).toEqual([]);
});
