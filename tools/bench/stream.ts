import { accessRoutes } from '@matterdesk/contract/access.ts';
import { streamRoutes } from '@matterdesk/contract/stream.ts';
import { sealEntries } from '@matterdesk/server/features/audit/seals/service.ts';
import { openWorkplace, type Workplace, plantCases } from '../eval/workplace.ts';
import { measureStream } from './frames.ts';
import { reportTimes, say } from './load.ts';

/** Items of the measured matter, and of all others together. */
const [ACTS, ENTRIES, TEXTS] = [9000, 6000, 5000];
const [OTHER_ACTS, OTHER_ENTRIES] = [1_000_000, 80_000];
const CASES = 2000;
/** Other matters that are restricted, too. */
const WALLED = 40;
const NUMBER = '+14155550100';
/** Rows that are planted by one statement, which has a limit of time. */
const BATCH = 50_000;
/** Pages that a server has sent before it counts as one in use. */
const IN_USE = 200;
const THREE_YEARS = 94_000_000;
const words = `(array['The hearing was moved', 'Call the adjuster about the bills', 'Records came by courier',
  'Offer of settlement discussed'])[1 + n % 4] || ' ' || n || case when n % 2000 = 7 then ' quillfeather' else '' end`;

const workplace = await openWorkplace();
try {
  const { actor, caseId } = workplace;
  await plantOthers(workplace);
  await plantMatter(workplace);
  await restrict(workplace, caseId);
  const walled = `select array(select id::text from base.cases where id <> $1 order by serial limit ${WALLED}) as ids`;
  for (const id of (await workplace.query(walled, [caseId]))['ids'] as string[])
    await restrict(workplace, id);
  await workplace.query('vacuum (analyze)');
  await sealEntries(workplace.context.db.asSystem('the bench has planted acts'));
  const read = (query: Record<string, string>) => () =>
    workplace.call(streamRoutes.readStream, {
      params: { id: caseId },
      query: { limit: '50', ...query },
    });
  const { total, nextCursor } = await read({})();
  const items = (ACTS + ENTRIES + TEXTS).toLocaleString('en-US');
  say(`| ${items} items of one matter among 1.1 million, restricted | p50, ms | p95, ms |`);
  say('| --- | --- | --- |');
  // Each connection plans a statement for its first uses; after them the plan is kept.
  await reportTimes('first page, just after a start', read({}));
  for (let times = 0; times < IN_USE; times += 1) await read({})();
  await reportTimes(`first page, of ${total.toLocaleString('en-US')}`, read({}));
  await reportTimes('second page', read({ cursor: nextCursor ?? '' }));
  await reportTimes('first page, with all changes', read({ kinds: 'all' }));
  await reportTimes('calls alone', read({ kinds: 'call' }));
  await reportTimes('one person’s', read({ people: actor.id }));
  await reportTimes('search, a common word', read({ search: 'hearing' }));
  await reportTimes('search, a rare word', read({ search: 'quillfeather' }));
  await reportTimes('search, an absent word', read({ search: 'zxqv' }));
  const { items: passed, scrolling } = await measureStream(workplace);
  say(
    `| frames while its first ${passed} items scroll by | ${scrolling.p50.toFixed(1)} | ${scrolling.p95.toFixed(1)} |`,
  );
  say(
    `${scrolling.perSecond.toFixed(0)} frames a second, the longest ${scrolling.most.toFixed(0)} ms`,
  );
} finally {
  await workplace.close();
}

async function restrict({ call, actor }: Workplace, id: string): Promise<void> {
  const params = { kind: 'cases', id };
  const { updatedAt } = (await call(accessRoutes.readAccess, { params })).access;
  const body = {
    mode: 'restricted',
    people: [actor.id],
    screened: [],
    reason: 'Measured',
    updatedAt,
  };
  await call(accessRoutes.changeAccess, { params, body });
}

/** Acts as people do them: tasks, files, deadlines, and changes of the matter with both values. */
function acts(caseId: string, count: number): string {
  return `
  insert into audit_log (at, actor_id, entity, entity_id, case_id, action, before, after)
  select now() - n * interval '${Math.ceil(THREE_YEARS / count)} seconds', $1,
    (array['task', 'file', 'deadline', 'case'])[1 + n % 4], gen_random_uuid()::text, ${caseId},
    case n % 4 when 3 then 'updated' else 'created' end,
    case n % 4 when 3 then jsonb_build_object('judge', 'Judge ' || n % 7, 'caseName', 'Case') end,
    case n % 4 when 3 then jsonb_build_object('judge', 'Judge ' || n % 5, 'caseName', 'Case')
      else jsonb_build_object('name', ${words}, 'title', ${words}, 'folder', 'Evidence', 'column', 'Discovery') end
  from generate_series($2::int, $3::int) n`;
}

function entries(caseId: string, count: number): string {
  return `
  insert into base.entries (case_id, kind, text, search_text, at, author_id, call)
  select ${caseId}, case n % 3 when 0 then 'call' else 'note' end, ${words}, lower(${words}),
    now() - n * interval '${Math.ceil(THREE_YEARS / count)} seconds', $1,
    case n % 3 when 0 then '{"direction":"out","contact":null,"name":"Dana Whitlock","number":null,"seconds":300,"result":"reached"}'::jsonb end
  from generate_series($2::int, $3::int) n`;
}

async function plantOthers(place: Workplace): Promise<void> {
  const { query } = place;
  await plantCases(place, CASES);
  const { first } = await query(
    `select min(serial) as first from base.cases where case_no like 'B-%'`,
  );
  const other = `(select id from base.cases where serial = ${Number(first)} + n % ${CASES})`;
  await plant(place, acts, { of: other, count: OTHER_ACTS });
  await plant(place, entries, { of: other, count: OTHER_ENTRIES });
}

type PlantedItems = { of: string; count: number };

async function plant(
  { query, actor }: Workplace,
  rows: (caseId: string, count: number) => string,
  { of, count }: PlantedItems,
): Promise<void> {
  for (let from = 1; from <= count; from += BATCH)
    await query(rows(of, count), [actor.id, from, Math.min(count, from + BATCH - 1)]);
}

async function plantMatter(place: Workplace): Promise<void> {
  const { query, actor, caseId } = place;
  const own = `'${caseId}'::uuid`;
  await plant(place, acts, { of: own, count: ACTS });
  await plant(place, entries, { of: own, count: ENTRIES });
  await query(
    `with texts as (
      insert into text_messages (owner_id, own_number, other_number, is_inbound, body, status, sent_at,
          is_dated, is_unread, sid)
        select $1, $2, '+12125559999', n % 3 = 0, ${words}, 'delivered', now() - n * interval '5 hours',
          true, false, 'SM' || md5(n::text)
        from generate_series(1, ${TEXTS}) n returning id)
    insert into base.filed_texts (case_id, message_id, by_id) select ${own}, id, $1 from texts`,
    [actor.id, NUMBER],
  );
}
