import { conflictRoutes, type AskedName } from '@matterdesk/contract/conflicts.ts';
import { findAgreements } from '@matterdesk/server/features/conflicts/matching/service.ts';
import type { BareDatabase, Statement } from './bare-database.ts';
import type { Scenario } from './scenarios.ts';

const CHECKS = 100;
/** Names that are typed at the same moment. */
const CLIENTS = 5;
/** Hits of a look. */
const SHOWN = 20;

/** The look at one name while it is typed, misspelled, among all names of the firm. */
export async function conflictScenario(database: BareDatabase): Promise<Scenario> {
  const [found] = await database.read<{ total: string }>(
    'select count(*) as total from base.names',
  );
  const rows = await database.read<{ name: string }>(
    `select name from (select distinct name from base.names where source = 'parties') known
      order by md5(name) limit $1`,
    [CHECKS],
  );
  const asked = rows.map(({ name }) => named(name.replace(/(?<=\p{L})(\p{Ll})(\p{Ll})/u, '$2$1')));
  const statements: Statement[][] = [];
  for (const one of asked)
    statements.push(await database.capture((db) => findAgreements(db, [one], SHOWN)));
  const at = (n: number) => n % asked.length;
  return {
    name: `a name among ${Number(found?.total ?? 0).toLocaleString('en-US')}`,
    isWrite: false,
    clients: CLIENTS,
    request: (n) => ({
      method: conflictRoutes.lookForConflicts.method,
      path: conflictRoutes.lookForConflicts.path,
      json: { names: [asked[at(n)]] },
    }),
    bare: (n) => ({ statements: statements[at(n)] ?? [], isWrite: false }),
  };
}

function named(name: string): AskedName {
  return { name, role: null, emails: [], phoneNumbers: [], otherNames: [] };
}
