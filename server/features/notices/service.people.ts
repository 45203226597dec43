import type { Unit } from '../../db/unit-of-work.ts';
import type { AccessNews, AccessNewsDesk } from '../access/service.news.ts';
import type { Handled } from '../accounts/service.events.ts';
import type { Post } from '../accounts/service.post.ts';
import type { AccountService } from '../accounts/service.ts';
import type { FirmService } from '../firm/service.ts';
import * as rules from './rules.people.ts';
import type { Draft, NoticeService } from './service.ts';

type Parts = {
  notices: NoticeService;
  accounts: AccountService;
  access: AccessNewsDesk;
  firm: Pick<FirmService, 'read'>;
  post: Pick<Post, 'isOn' | 'add'>;
};
type News = Pick<Draft, 'type' | 'title' | 'subject' | 'at'> & Partial<Draft>;

/** Notifies people of what others did to their account, and to matters that they have access to. */
export function notifyPeople(parts: Parts): void {
  parts.accounts.events.onHandled((unit, handled) => notifyOfAct(parts, unit, handled));
  parts.access.onNews((unit, news) => notifyOfAccess(parts, unit, news));
}

/** The user is mailed whatever their settings say, since the notices are in the account that may be taken. */
async function notifyOfAct({ accounts, notices, post }: Parts, unit: Unit, handled: Handled) {
  const { person, by, act, toUser, toAdmins, letter } = handled;
  const at = new Date();
  const subject = `account ${act} ${person.id} ${at.toISOString()}`;
  const news = { type: 'account', subject, at } as const;
  const admins = await accounts.listAdmins(unit.trx);
  const others = admins.filter((id) => id !== person.id && id !== by.id);
  await notices.raise(unit, [
    ...draftsFor([person.id], { ...news, title: toUser, is_mailed: post.isOn }),
    ...draftsFor(others, { ...news, title: toAdmins }),
  ]);
  // Removing a second factor has a mail of its own.
  if (post.isOn && act !== 'factorRemoved') await post.add(unit, { letter });
}

async function notifyOfAccess({ firm, notices }: Parts, unit: Unit, news: AccessNews) {
  const { matter, inside, outside } = news;
  const { timeZone } = await firm.read();
  const at = new Date();
  const subject = `access ${matter.id} ${news.type} ${at.toISOString()}`;
  const common = { type: 'access', subject, at } as const;
  const place = matter.kind === 'cases' ? { case_id: matter.id } : { intake_id: matter.id };
  const [within, without] = news.type === 'opened' ? opened(news, timeZone) : paused(news);
  await notices.raise(unit, [
    ...draftsFor(inside, { ...common, ...place, title: within }),
    ...draftsFor(outside, { ...common, title: without }),
  ]);
}

type Of<Type> = Extract<AccessNews, { type: Type }>;

/** For those with access, and for those who manage walls without it. */
function opened({ by, matter, until, reason }: Of<'opened'>, timeZone: string) {
  const who = rules.nameOf(by);
  const time = `until ${rules.momentAt(until, timeZone)}`;
  return [
    `${who} opened this ${matter.kind === 'cases' ? 'matter' : 'intake'} ${time}: “${reason}”`,
    `${who} opened a walled matter ${time}`,
  ] as const;
}

function paused({ person, by }: Of<'paused'>) {
  const cause = `${rules.nameOf(person)}’s password was reset by ${rules.nameOf(by)}`;
  return [
    `${cause}: let ${person.firstName} in again under Access`,
    `${cause}: a restricted matter has no one with access now`,
  ] as const;
}

function draftsFor(userIds: string[], news: News): Draft[] {
  const nowhere = { case_id: null, event_id: null, deadline_id: null };
  return userIds.map((user_id) => ({ ...nowhere, body: '', missed: false, ...news, user_id }));
}
