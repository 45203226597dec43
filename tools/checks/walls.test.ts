import { describe, expect, test } from 'vitest';
import { checkWalls } from './walls.ts';

describe('lets through', () => {
  test.each([
    ['contract/cases.ts', "import * as z from 'zod/mini';"],
    ['contract/cases.ts', "import { text } from './text.ts';"],
    ['contract/cases.test.ts', "import { test } from 'vitest';"],
    ['server/features/cases/routes.ts', "import { openCase } from './service.ts';"],
    ['server/features/cases/routes.ts', "import { guard } from '../../http/guard.ts';"],
    [
      'server/features/cases/routes.ts',
      "import { caseRoutes } from '@matterdesk/contract/cases.ts';",
    ],
    ['server/features/cases/service.ts', "import { insertCase } from './store.ts';"],
    ['server/features/cases/service.ts', "import { findUsers } from '../accounts/service.ts';"],
    ['server/features/cases/service.ts', "import type { Transaction } from '../../db/connect.ts';"],
    ['server/features/cases/store.ts', "import { sql } from 'kysely';"],
    ['server/features/cases/store.ts', "db.selectFrom('cases');"],
    ['server/features/cases/routes.test.ts', "import { sql } from 'kysely';"],
    ['server/features/cases/routes.test.ts', "app.db.selectFrom('cases');"],
    ['server/db/connect.ts', "import { Pool } from 'pg';"],
    ['server/db/audit.ts', "import type { Actor } from '../core/actor.ts';"],
    ['server/http/client.ts', 'networkOf(request.ip)'],
    ['server/features/tasks/routes.ts', 'limitOf(clientOf(request).network)'],
    ['server/core/actor.ts', "import { Refusal } from './refusal.ts';"],
    ['server/core/actor.ts', "import type { Role } from '@matterdesk/contract/accounts.ts';"],
    ['server/http/bind.test.ts', "import { openPool } from '../db/connect.ts';"],
    ['server/features/ai/retrieval/store.passages.ts', "db.selectFrom('cases');"],
    ['server/features/ai/answers/service.ts', "import { rank } from '../retrieval/service.ts';"],
    ['server/features/mails/routes.ts', "import { Reading } from './read/service.ts';"],
    ['server/operations/backup.ts', "import { Client } from 'pg';"],
    ['client/features/cases/CasesPage.tsx', "import { listUsers } from '../accounts/slice.ts';"],
    ['client/shell/root-store.ts', "import { cases } from '../features/cases/slice.ts';"],
    ['client/features/cases/slice.ts', "import { useAppSelector } from '../../core/store.ts';"],
    ['client/core/upload.ts', "import { CallError } from '../api.ts';"],
    ['client/core/field.ts', "import type { Option } from '../ui/option.ts';"],
    ['client/realtime/listen.ts', "import { caseHeard } from '../features/cases/slice.ts';"],
    ['client/shell/routes.tsx', "const page = () => import('../features/cases/CasesPage.tsx');"],
    ['tools/bench/main.ts', "import { Pool } from 'pg';"],
    ['contract/normalization.ts', 'return withShortRuns(text).normalize(form);'],
    ['server/features/cases/rules.ts', "return normalized(text, 'NFD');"],
  ])('%s: %s', (path, text) => {
    expect(checkWalls([{ path, text }])).toEqual([]);
  });
});

describe('refuses, and says where the code belongs,', () => {
  test.each([
    ['contract/cases.ts', "import { Pool } from 'pg';", 'contract imports only zod'],
    ['server/features/tasks/routes.ts', 'limitOf(request.ip)', 'only server/http/client.ts'],
    ['server/http/bind.ts', 'f({ ip }: FastifyRequest)', 'only server/http/client.ts'],
    ['server/realtime/server.ts', 'socket.remoteAddress', 'only server/http/client.ts'],
    [
      'contract/cases.ts',
      "import { db } from '@matterdesk/server/db/connect.ts';",
      'contract imports only zod',
    ],
    ['contract/cases.ts', "import { test } from 'vitest';", 'contract imports only zod'],
    ['client/api.ts', "import { log } from '@matterdesk/server/log.ts';", 'belongs in contract/'],
    ['server/app.ts', "import { api } from '@matterdesk/client/api.ts';", 'belongs in contract/'],
    [
      'server/app.ts',
      "import { seed } from '@matterdesk/tools/bench/seed.ts';",
      'never imports its tools',
    ],
    ['tools/bench/main.ts', "import { log } from '../../server/log.ts';", '../ leaves tools/'],
    [
      'server/features/cases/service.ts',
      "import { sql } from 'kysely';",
      'features/cases/store.ts',
    ],
    ['server/http/session.ts', "import type { Pool } from 'pg';", 'only store.ts'],
    ['server/features/cases/service.ts', "db.insertInto('cases');", 'only store.ts'],
    ['server/features/cases/store.ts', 'sql`select from base.cases`', 'read the view instead'],
    [
      'server/features/cases/routes.ts',
      "import { insertCase } from './store.ts';",
      'routes may not import store',
    ],
    [
      'server/features/cases/routes.ts',
      "import { db } from '../../db/connect.ts';",
      'belongs in service.ts',
    ],
    [
      'server/features/cases/routes.ts',
      "import { find } from '../accounts/service.ts';",
      'belongs in service.ts',
    ],
    [
      'server/features/cases/store.ts',
      "import { openCase } from './service.ts';",
      'store may not import service',
    ],
    [
      'server/features/cases/rules.ts',
      "import { findCase } from './store.ts';",
      'rules may not import store',
    ],
    [
      'server/features/cases/service.ts',
      "import { findUser } from '../accounts/store.ts';",
      'through services only',
    ],
    [
      'server/features/cases/store.ts',
      "import { findUser } from '../accounts/service.ts';",
      'through services only',
    ],
    ['server/core/actor.ts', "import type { Table } from '../db/schema.ts';", 'imports core only'],
    ['server/core/actor.ts', "import { log } from '../log.ts';", 'imports core only'],
    ['server/db/audit.ts', "import { Gate } from '../http/gate.ts';", 'do not import each other'],
    [
      'server/http/bind.ts',
      "import type { Once } from '../db/idempotency.ts';",
      'do not import each other',
    ],
    [
      'server/features/ai/retrieval/service.ts',
      "db.selectFrom('cases');",
      'features/ai/retrieval/store.ts',
    ],
    [
      'server/features/ai/retrieval/store.ts',
      "import { rank } from '../answers/service.ts';",
      'store may not import service',
    ],
    [
      'server/features/mails/read/routes.ts',
      "import { findGrant } from '../store.ts';",
      'routes may not import store',
    ],
    [
      'server/features/mails/read/service.ts',
      "import { listCases } from '../../cases/store.ts';",
      'through services only',
    ],
    [
      'client/features/cases/slice.ts',
      "import { users } from '../accounts/slice.ts';",
      'meet only in pages',
    ],
    [
      'client/features/cases/components/Row.tsx',
      "import { a } from '../../tasks/api.ts';",
      'meet only in pages',
    ],
    [
      'client/features/cases/api.ts',
      "const a = () => import('../tasks/api.ts');",
      'meet only in pages',
    ],
    ['client/features/cases/api.ts', "export { a } from '../tasks/api.ts';", 'meet only in pages'],
    [
      'client/features/cases/hooks/use-case.ts',
      '// oxlint-disable-next-line react/exhaustive-effect-dependencies -- fetch again',
      'name all that they depend on',
    ],
    ['client/ui/Button.tsx', "import { useApp } from '../core/store.ts';", 'ui knows nothing'],
    ['client/ui/Button.tsx', "import { a } from '../features/tasks/api.ts';", 'ui knows nothing'],
    ['client/ui/Button.tsx', "import { call } from '../api.ts';", 'ui knows nothing'],
    ['client/core/a.ts', "import type { A } from '../features/tasks/slice.ts';", 'core knows no'],
    ['client/core/a.ts', "import { guard } from '../shell/guards.ts';", 'core knows no'],
    ['client/core/a.ts', "import { listen } from '../realtime/listen.ts';", 'core knows no'],
    [
      'client/features/cases/slice.ts',
      "import { rootStore } from '../../shell/root-store.ts';",
      'features know no shell',
    ],
    [
      'client/realtime/listen.ts',
      "import { loseSession } from '../shell/session.ts';",
      'realtime knows no shell',
    ],
    [
      'client/features/cases/api.ts',
      "const isGone = error.message === 'Case not found';",
      'go by the code',
    ],
    [
      'client/features/cases/rules.ts',
      "return text.normalize('NFC').toLowerCase();",
      'call normalized()',
    ],
    ['contract/cases.ts', "z.string().check(z.normalize('NFC'))", 'call normalized()'],
    ['server/db/search.ts', 'const folded = text.normalize().trim();', 'call normalized()'],
    ['client/api.ts', "if (error.message.includes('token')) end();", 'go by the code'],
    ['client/core/call.ts', 'const call = new RTCPeerConnection();', 'no page opens a peer'],
    ['client/api.ts', 'if (INVALID_TOKEN === error.message) end();', 'go by the code'],
    [
      'client/features/cases/CasesPage.tsx',
      "import { openSocket } from '../../realtime/socket.ts';",
      'features know no shell',
    ],
    [
      'client/realtime/listen.ts',
      "import { loseSession } from '../shell/session.ts';",
      'realtime knows no shell',
    ],
  ])('%s: %s', (path, text, says) => {
    const messages = checkWalls([{ path, text }]).map((finding) => finding.message);
    expect(messages).toContainEqual(expect.stringContaining(says));
  });
});

test('features of the server that import each other are refused, in both files', () => {
  const tasks = {
    path: 'server/features/tasks/service.ts',
    text: "import { readCase } from '../cases/service.ts';",
  };
  const cases = {
    path: 'server/features/cases/service.ts',
    text: "import { countTasks } from '../tasks/service.ts';",
  };
  expect(checkWalls([tasks])).toEqual([]);
  expect(checkWalls([tasks, cases]).map(({ path }) => path)).toEqual([tasks.path, cases.path]);
});
