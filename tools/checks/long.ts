/** The variable that makes the test runners take the files named `*.long.test.ts` and `*.long.spec.ts` too. */
export const LONG = 'MATTERDESK_LONG_TESTS';

/** The variable that makes the test runner take those of tools/cluster. */
export const CLUSTER = 'MATTERDESK_CLUSTER_TESTS';

/** The variable that makes the test runner take those of server/testing/attack. */
export const ATTACK = 'MATTERDESK_ATTACK_TESTS';

export const longTests = '**/*.long.test.ts';
