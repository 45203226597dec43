import { messageRoutes } from '@matterdesk/contract/messages.ts';
import { openWorkplace, type Workplace, plantCases } from '../eval/workplace.ts';
import { reportTimes, say } from './load.ts';

const CONVERSATIONS = 2000;
const MESSAGES = 100_000;
const CASES = 20_000;
const NUMBER = '+14155550100';

const workplace = await openWorkplace();
try {
  await plant(workplace);
  say(`| ${MESSAGES} texts in ${CONVERSATIONS} conversations | p50, ms | p95, ms |`);
  say('| --- | --- | --- |');
  await reportTimes('conversation list', () => workplace.call(messageRoutes.listConversations));
  const other = await workplace.query(
    'select other_number as other from conversations order by last_at desc offset 700 limit 1',
  );
  const body = { from: NUMBER, to: String(other['other']) };
  await reportTimes('a conversation opens', () =>
    workplace.call(messageRoutes.readHistory, { body }),
  );
} finally {
  await workplace.close();
}

/** Half of the numbers belong to cases, formatted the way people write them. */
async function plant(place: Workplace): Promise<void> {
  const { query, actor } = place;
  const run = async (text: string, values: unknown[] = []) => {
    await query(text, values);
  };
  await run(`insert into phone_numbers (user_id, phone_number, state) values ($1, $2, 'owned')`, [
    actor.id,
    NUMBER,
  ]);
  await plantCases(place, CASES);
  await run(
    `insert into text_messages (owner_id, own_number, other_number, is_inbound, body, status, sent_at,
        is_dated, is_unread, sid)
      select $1, $2, case when n % ${CONVERSATIONS} < 1000 then '+1212555' else '+1333555' end
          || lpad((n % ${CONVERSATIONS})::text, 4, '0'),
        n % 3 = 0, 'Text ' || n || ' about the hearing on Monday', 'delivered',
        now() - n * interval '1 minute', true, n < 500 and n % 3 = 0, 'SM' || md5(n::text)
      from generate_series(1, ${MESSAGES}) n`,
    [actor.id, NUMBER],
  );
  await run(`insert into conversations (owner_id, other_number, last_message_id, last_at, unread)
    select distinct on (owner_id, other_number) owner_id, other_number, id, sent_at,
      (select count(*) from text_messages u where u.owner_id = t.owner_id
        and u.other_number = t.other_number and u.is_unread)
    from text_messages t order by owner_id, other_number, sent_at desc`);
  await run('vacuum (analyze)');
}
