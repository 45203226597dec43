import { describe, expect, test } from 'vitest';
import type { SourceFile } from './source-file.ts';
import { checkStructure } from './structure.ts';

const house = [
  'contract/cases.ts',
  'contract/cases.test.ts',
  'server/main.ts',
  'server/core/refusal.ts',
  'server/data-directory.ts',
  'server/db/connect.ts',
  'server/db/migrations/001-accounts.ts',
  'server/http/session.ts',
  'server/integrations/twilio/client.ts',
  'server/features/cases/routes.ts',
  'server/features/cases/routes.test.ts',
  'server/features/cases/routes.import.test.ts',
  'server/features/audit/store.ts',
  'server/features/ai/service.models.ts',
  'server/features/ai/retrieval/store.passages.ts',
  'server/features/mails/push/service.test.ts',
  'server/features/mails/push/service.ts',
  'client/main.tsx',
  'client/api.ts',
  'client/ui/Button.tsx',
  'client/ui/class-names.ts',
  'client/core/paths.ts',
  'client/shell/routes.tsx',
  'client/features/cases/CasesPage.tsx',
  'client/features/cases/slice.ts',
  'client/features/cases/components/CaseRow.tsx',
  'client/features/cases/hooks/use-case-window.ts',
  'tools/launch/start.mjs',
  'tools/e2e/login.spec.ts',
  'tools/e2e/support/browser.ts',
  'tools/checks/vitest.config.ts',
].map((path) => file(path));

test('the check accepts a tree in the house’s own order', () => {
  expect(checkStructure(house)).toEqual([]);
});

describe('refuses, and says where the code belongs,', () => {
  test.each([
    ['a folder in contract', file('contract/cases/fields.ts'), 'contract/ is flat'],
    [
      'a folder by type in the server',
      file('server/controllers/cases.ts'),
      'server code belongs in core/ http/',
    ],
    [
      'a folder by type in the client',
      file('client/hooks/use-case.ts'),
      'client code belongs in core/',
    ],
    [
      'a folder for what neither the core nor the shell claims',
      file('client/app/store.ts'),
      'client code belongs in core/',
    ],
    ['a fifth root', file('lib/dates.ts'), 'it has contract/ server/ client/ tools/'],
    [
      'a feature that is not on the list',
      file('server/features/billing/routes.ts'),
      'features/<accounts|cases',
    ],
    [
      'such a feature on the client',
      file('client/features/billing/api.ts'),
      'features/<accounts|cases',
    ],
    [
      'a new role in a server feature',
      file('server/features/cases/controller.ts'),
      'say which role',
    ],
    [
      'a new kind of file in a client feature',
      file('client/features/cases/hooks.ts'),
      'a client feature holds',
    ],
    [
      'a topic that is not on the list',
      file('server/features/ai/ranking/service.ts'),
      'ai/<training|retrieval|answers>/',
    ],
    [
      'a topic of another feature',
      file('server/features/cases/retrieval/service.ts'),
      'the house has no folder',
    ],
    [
      'a new role in a topic',
      file('server/features/mails/push/watcher.ts'),
      'a topic of a server feature holds',
    ],
    ['a file beside main.ts', file('server/routes.ts'), 'features/<feature>/'],
    ['a launch script that needs a build', file('tools/launch/setup.ts'), 'plain .mjs'],
    ['a name in another case', file('server/http/SessionGuard.ts'), 'kebab-case'],
    ['a drawer', file('server/http/utils.ts'), 'is a drawer'],
    ['a drawer with a prefix', file('client/ui/date-helpers.ts'), 'is a drawer'],
    ['a barrel', file('client/ui/index.ts'), 'index files are barrels'],
    [
      'a whole module passed on',
      file('server/http/all.ts', "export * from './session.ts';"),
      'passing on',
    ],
    ['a test of nothing', file('server/http/gone.test.ts'), 'a test stands beside'],
    [
      'a component under another name',
      file('client/ui/Badge.tsx', 'export const Chip = 1;'),
      'export Badge',
    ],
  ])('%s', (_what, planted, says) => {
    const findings = checkStructure([...house, planted]);
    expect(findings).toEqual([{ path: planted.path, message: expect.stringContaining(says) }]);
  });
});

function file(path: string, text?: string): SourceFile {
  const component = /\/([A-Z]\w*)\.tsx$/.exec(path)?.[1];
  return { path, text: text ?? (component === undefined ? '' : `export const ${component} = 1;`) };
}
