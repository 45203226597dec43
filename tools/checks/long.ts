/** The variable that makes the test runner take the files named `*.long.test.ts` too. */
export const LONG = 'MATTERDESK_LONG_TESTS';

export const longTests = '**/*.long.test.ts';
