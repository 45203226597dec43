import { expect, test } from 'vitest';
import { explainFailure } from './failure.ts';

test.each([
  [
    'a full disk',
    'LOG:  starting\nFATAL:  could not write lock file "postmaster.pid": No space left on device\n',
    'The disk that holds /d is full (could not write lock file "postmaster.pid": No space left on device)',
  ],
  [
    'a missing permission',
    new Error("EACCES: permission denied, scandir '/d'"),
    "Matterdesk needs read and write access to everything in /d (EACCES: permission denied, scandir '/d')",
  ],
  [
    'anything else, by the severest line',
    'LOG:  invalid checkpoint record\nPANIC:  could not locate a valid checkpoint record\nLOG:  done\n',
    'PostgreSQL does not work in /d: could not locate a valid checkpoint record',
  ],
  ['no output', '', 'PostgreSQL does not work in /d: it said nothing'],
])('explains %s in one sentence', (_, failure, sentence) => {
  expect(explainFailure('/d', failure).message).toBe(sentence);
});
