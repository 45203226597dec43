// Files mails in cases.

import { type ActorContext, asActor, hook, write } from '../../../context.ts';
import { wallTime } from '../../../core/dates.ts';
import { notFound, Refusal } from '../../../core/refusal.ts';
import type { Scoped } from '../../../db/schema.ts';
import type { Unit } from '../../../db/unit-of-work.ts';
import type { Content } from '../../../http/content.ts';
import { acceptFiles, claimStored } from '../../files/service.incoming.ts';
import { adoptFiles, requireFilePlace } from '../../files/service.ts';
import { readFirm } from '../../firm/service.ts';
import { isMailId, nameOfMail } from '../rules.ts';
import { useMailbox } from '../service.access.ts';
import { readOriginalMail, readSubject } from './service.ts';
import * as store from './store.ts';

/** Reports each mail before it becomes a file of a case, in the same transaction. */
export const mailFiled = hook<[unit: Unit, mail: store.OwnMail]>();

/** A complete mail, and its file name. */
type MailFile = Pick<Content, 'name' | 'size' | 'read'> & { threadId: string };

/** Folder for mails in a case's library. */
export const FOLDER = 'E-mail';

export { nameOfMail };

/**
 * Stores the mail verbatim as a case file, once in each case.
 * @returns `isNew` unless it was filed there before
 * @throws Refusal notFound, invalidInput
 */
export async function fileMailToCase(
  context: ActorContext,
  mailId: string,
  caseId: string,
): Promise<{ url: string; isNew: boolean }> {
  if (!isMailId(mailId)) throw notFound('Mail');
  const mail = { userId: context.actor.id, mailId };
  const before = await findFiled(asActor(context), mail, caseId);
  if (before) return { url: before.url, isNew: false };
  const whole = await readFiledMail(context, mailId);
  const parts = partsOf({ caseId, ...whole });
  const placeOf = (fields: Map<string, string>) => requireFilePlace(context, fields);
  return acceptFiles(context, { parts, placeOf }, (place, stored) => {
    const file = async (unit: Unit) => {
      await store.lockFiling(unit.trx, mail);
      const meanwhile = await findFiled(unit.trx, mail, caseId);
      // The stored bytes are swept like those of an upload that was cut off.
      if (meanwhile) return { url: meanwhile.url, isNew: false };
      await mailFiled.run(context, unit, mail);
      const [url] = await adoptFiles(context, unit, { place, stored });
      await claimStored(unit.trx, stored);
      const [bytes] = stored;
      if (url === undefined || !bytes) throw new Refusal('unexpected');
      await noteFiled(unit, { ...mail, threadId: whole.threadId }, bytes.key);
      return { url, isNew: true };
    };
    return write(context, file);
  });
}

/** From then on the mail, and its thread, know where it is filed. @param blobKey that of the mail's file */
export function noteFiled(
  { trx }: Unit,
  mail: store.OwnMail & { threadId: string },
  blobKey: string,
): Promise<void> {
  return store.insertFiled(trx, mail, blobKey);
}

/** The mail verbatim, and its file name. @throws Refusal notFound */
export async function readFiledMail(context: ActorContext, mailId: string): Promise<MailFile> {
  if (!isMailId(mailId)) throw notFound('Mail');
  return useMailbox(context, async (opened) => {
    const { read, size } = await readOriginalMail(context, opened, mailId);
    const { subject, threadId, ...times } = await readSubject(context, opened, mailId);
    const { timeZone } = await readFirm(context);
    const date = times.date ?? new Date(times.arrivedAt).toISOString();
    const name = nameOfMail(subject, wallTime(date, timeZone));
    return { name, size, threadId, read };
  });
}

async function findFiled(db: Scoped, mail: store.OwnMail, caseId: string) {
  return (await store.listFiled(db, mail)).find((filed) => filed.case.id === caseId);
}

type FiledMail = Pick<MailFile, 'name' | 'read'> & { caseId: string };

async function* partsOf({ caseId, name, read }: FiledMail) {
  yield { field: 'caseId', value: caseId };
  yield { field: 'folder', value: FOLDER };
  yield { name, bytes: await read() };
}
