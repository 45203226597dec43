import { expect, test } from 'vitest';
import { busiestOf } from './profile.ts';

const frame = (functionName: string, url = '', lineNumber = 0) => ({
  callFrame: { functionName, url, lineNumber },
});

test('a profile names functions by the time that they ran themselves, without idle time', () => {
  const profile = {
    nodes: [
      { id: 1, ...frame('(idle)') },
      { id: 2, ...frame('toGrid', 'file:///srv/server/features/calendar/service.ts', 41) },
      { id: 3, ...frame('(garbage collector)') },
      // The same function, called from elsewhere.
      { id: 4, ...frame('toGrid', 'file:///srv/server/features/calendar/service.ts', 41) },
    ],
    samples: [1, 2, 3, 4],
    timeDeltas: [9000, 2000, 2500, 1500],
  };
  expect(busiestOf(profile)).toEqual([
    { what: 'toGrid, features/calendar/service.ts:42', ms: 3.5 },
    { what: '(garbage collector)', ms: 2.5 },
  ]);
});
