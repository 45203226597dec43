import { sql } from 'kysely';
import type { NoticeType } from '@matterdesk/contract/notices.ts';
import type { MailState } from '../../db/schema-notices.ts';
import type { Transaction } from '../../db/schema.ts';

export type Settled = Extract<MailState, 'waiting' | 'sent' | 'failed' | 'unknown' | 'no'>;
export type Claimed = {
  id: string;
  user_id: string;
  email: string;
  name: string;
  title: string;
  body: string;
  at: Date;
  missed: boolean;
  case_name: string | null;
  type: NoticeType;
  case_id: string | null;
  intake_id: string | null;
  mail_state: MailState;
  mail_tries: number;
};

/**
 * The next attempt to mail a notice. What another attempt may have sent is sent once more, and then its outcome stays
 * unknown.
 * @returns undefined when there is nothing to send, also to a person who no longer sees the matter
 */
export async function claim(trx: Transaction, id: string): Promise<Claimed | undefined> {
  const { rows } = await sql<Claimed>`
    update notices set mail_tries = notices.mail_tries + 1,
        mail_state = case notices.mail_state
          when 'waiting' then 'sending' when 'sending' then 'again' else 'unknown' end
      from users u where notices.id = ${id} and u.id = notices.user_id and u.active
        and notices.mail_state in ('waiting', 'sending', 'again')
        and base.sees_case(notices.user_id, notices.case_id)
        and base.sees_intake(notices.user_id, notices.intake_id)
      returning notices.id, notices.user_id, u.email, u.first_name || ' ' || u.last_name as name,
        notices.type, notices.case_id, notices.intake_id, notices.title, notices.body, notices.at, notices.missed, notices.mail_state, notices.mail_tries,
        (select c.case_name from cases c where c.id = notices.case_id) as case_name`.execute(trx);
  const [row] = rows;
  return row?.mail_state === 'unknown' ? undefined : row;
}

export async function settle(trx: Transaction, id: string, mail_state: Settled): Promise<void> {
  await trx.updateTable('notices').set({ mail_state }).where('id', '=', id).execute();
}
