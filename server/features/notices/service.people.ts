// Notices about users' accounts, and about access to matters.

import type { Context } from '../../context.ts';
import { fullName } from '../../core/actor.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import type { AccessNews } from '../access/service.overrides.ts';
import { canSendSystemMail, queueSystemMail } from '../accounts/service.mail.ts';
import { type ReportedAct, listAdmins } from '../accounts/service.ts';
import { readFirm } from '../firm/service.ts';
import { type Draft, raiseNotices } from './service.ts';

type SharedDraft = Pick<Draft, 'type' | 'title' | 'subject' | 'at'> & Partial<Draft>;

/** Notifies users and admins of an act on an account. The user is always mailed, since someone else may control the account. */
export async function notifyOfAct(context: Context, unit: Unit, reported: ReportedAct) {
  const { person, by, act, toUser, toAdmins, mail } = reported;
  const at = new Date();
  const subject = `account ${act} ${person.id} ${at.toISOString()}`;
  const news = { type: 'account', subject, at } as const;
  const admins = await listAdmins(unit.trx);
  const others = admins.filter((id) => id !== person.id && id !== by.id);
  await raiseNotices(context, unit, [
    ...draftsFor([person.id], { ...news, title: toUser, is_mailed: canSendSystemMail(context) }),
    ...draftsFor(others, { ...news, title: toAdmins }),
  ]);
  // Removing a second factor has a mail of its own.
  if (canSendSystemMail(context) && act !== 'factorRemoved')
    await queueSystemMail(context, unit, { letter: mail });
}

/** Notifies users of changed access to their matters. */
export async function notifyOfAccess(context: Context, unit: Unit, news: AccessNews) {
  const { matter, inside, outside } = news;
  const { timeZone } = await readFirm(context);
  const at = new Date();
  const subject = `access ${matter.id} ${news.type} ${at.toISOString()}`;
  const common = { type: 'access', subject, at } as const;
  const place = matter.kind === 'cases' ? { case_id: matter.id } : { intake_id: matter.id };
  const [within, without] =
    news.type === 'opened' ? openedTexts(news, timeZone) : pausedTexts(news);
  await raiseNotices(context, unit, [
    ...draftsFor(inside, { ...common, ...place, title: within }),
    ...draftsFor(outside, { ...common, title: without }),
  ]);
}

type NewsOf<Type> = Extract<AccessNews, { type: Type }>;

/** Texts for those with access, and for those who manage walls without it. */
function openedTexts({ by, matter, until, reason }: NewsOf<'opened'>, timeZone: string) {
  const who = fullName(by);
  const time = `until ${momentAt(until, timeZone)}`;
  return [
    `${who} opened this ${matter.kind === 'cases' ? 'matter' : 'intake'} ${time}: “${reason}”`,
    `${who} opened a walled matter ${time}`,
  ] as const;
}

function pausedTexts({ person, by }: NewsOf<'paused'>) {
  const cause = `${fullName(person)}’s password was reset by ${fullName(by)}`;
  return [
    `${cause}: let ${person.firstName} in again under Access`,
    `${cause}: a restricted matter has no one with access now`,
  ] as const;
}

function draftsFor(userIds: string[], news: SharedDraft): Draft[] {
  const nowhere = { case_id: null, event_id: null, deadline_id: null };
  return userIds.map((user_id) => ({ ...nowhere, body: '', missed: false, ...news, user_id }));
}

/** 'Nov 24, 2026, 5:00 PM', on the firm's clock. */
function momentAt(at: Date, timeZone: string): string {
  const format = { dateStyle: 'medium', timeStyle: 'short', timeZone } as const;
  // The locale parts time and half of the day by a narrow space, which mail programs show as a question mark.
  return new Intl.DateTimeFormat('en-US', format).format(at).replaceAll('\u202F', ' ');
}
