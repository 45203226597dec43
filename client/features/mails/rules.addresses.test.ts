import { expect, test } from 'vitest';
import {
  endTyping,
  listRecipients,
  parseRecipients,
  suggested,
  typeRecipient,
} from './rules.addresses.ts';

const VOSS = { name: 'Piet Voss', email: 'p.voss@elsewhere.example' };
const JUN = { name: '', email: 'Jun@court.example' };
const KNOWN = [{ ...VOSS, name: '' }, JUN, VOSS, { name: 'Anna', email: '' }];

test('the address field tells chosen addresses from the text that is still being typed', () => {
  expect(parseRecipients('a@b.example; Piet Voss <c@d.example>, vo')).toEqual({
    chosen: ['a@b.example', 'c@d.example'],
    typed: 'vo',
  });
  expect(typeRecipient(['a@b.example'], 'unfinished, vo')).toEqual({
    chosen: ['a@b.example', 'unfinished'],
    typed: 'vo',
  });
  const whole = { chosen: ['a@b.example'], typed: ' c@d.example' };
  expect(endTyping(whole)).toEqual({ chosen: ['a@b.example', 'c@d.example'], typed: '' });
  expect(endTyping({ ...whole, typed: 'c@d' })).toEqual({ ...whole, typed: 'c@d' });
  expect(listRecipients({ chosen: ['a@b.example', 'c@d.example'], typed: 'vo' })).toBe(
    'a@b.example, c@d.example, vo',
  );
});

test('the address field suggests each person once, by the beginning of a name or an address', () => {
  expect(suggested('vos', KNOWN)).toEqual([VOSS]);
  expect(suggested('PIET V', KNOWN)).toEqual([VOSS]);
  expect(suggested('p.voss@els', KNOWN)).toEqual([VOSS]);
  expect(suggested('court', KNOWN)).toEqual([JUN]);
  expect(suggested('oss', KNOWN)).toEqual([]);
});

test('the address field suggests no one for a single letter or for a complete address', () => {
  expect(suggested('v', KNOWN)).toEqual([]);
  expect(suggested('jun@court.example', KNOWN)).toEqual([]);
  const many = Array.from({ length: 20 }, (_, at) => ({ name: 'Ann', email: `${at}@x.example` }));
  expect(suggested('ann', many)).toHaveLength(6);
});
