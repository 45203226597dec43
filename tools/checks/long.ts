/** The variable that makes the test runners take the files named `*.long.test.ts` and `*.long.spec.ts` too. */
export const LONG = 'MATTERDESK_LONG_TESTS';

export const longTests = '**/*.long.test.ts';
