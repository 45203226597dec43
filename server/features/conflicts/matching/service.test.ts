import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { conflictRoutes } from '@matterdesk/contract/conflicts.ts';
import { suite } from '../../../testing/app.ts';
import { registerWith } from '../../../testing/factories.ts';
import { loopBlocksDuring } from '../../../testing/usage.ts';
import { addNames } from '../names/service.ts';

const { app, clerk } = suite(
  { clerk: (to) => registerWith(to, { clearConflicts: true }) },
  { jobs: false },
);

/** Milliseconds of the main thread's own processor time, during which no one else is served. */
const STALL = 100;
const TRIES = 3;
const LONGEST = 200;
/** Signs that stand for many letters or words, and words that agree with each other. */
const units = {
  'a ligature of eighteen letters': ['\ufdfa'],
  'syllables without blanks': ['\u738b', '\u674e', '\u5f20'],
  'words of four letters': ['abcd ', 'bacd ', 'abdc ', 'aacd ', 'abce '],
  'words with two edits': ['christopherson ', 'kristofferson ', 'christofersen '],
  'first names': ['rob ', 'bob ', 'robert ', 'bill ', 'will ', 'liz ', 'beth '],
};

function nameOf(words: string[], from: number): string {
  const long = Array.from({ length: LONGEST }, (_, at) => words[(from + at) % words.length]);
  return `${String.fromCodePoint(0x61 + (from % 26))} ${long.join('')}`.slice(0, LONGEST);
}

test.each(Object.entries(units))(
  'the server turns to other requests while it compares long names of %s',
  async (_, words) => {
    const stored = Array.from({ length: 60 }, (__, at) => ({
      source: 'fileNames' as const,
      id: randomUUID(),
      names: [{ name: nameOf(words, at), role: 'fileName' }],
    }));
    await app.context.writer.runAsSystem(null, 'it is a test', ({ trx }) =>
      addNames(trx, stored, true),
    );
    const names = Array.from({ length: 5 }, (__, at) => ({
      name: nameOf(words, at),
      role: null,
      emails: [],
      phoneNumbers: [],
      otherNames: Array.from({ length: 3 }, (___, other) => nameOf(words, at + other)),
    }));
    const look = () =>
      app.call(conflictRoutes.lookForConflicts, { token: clerk.token, body: { names } });
    const held: number[] = [];
    while (held.length < TRIES && held.every((one) => one > STALL))
      held.push((await loopBlocksDuring(look)).longest);
    expect(Math.min(...held)).toBeLessThan(STALL);
  },
);
