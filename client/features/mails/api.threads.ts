import { type MailChange, mailChangeRoutes } from '@matterdesk/contract/mails.ts';
import { call } from '../../api.ts';
import { ownAddress } from './api.ts';
import { threads } from './slice.ts';

/** Changes a mail at Google too. @throws CallError, after its toast */
export function changeMail(mailId: string, change: MailChange) {
  return call(mailChangeRoutes.changeMail, {
    params: { userEmail: ownAddress(), mailId },
    body: change,
    toasts: 'errors',
    failing: 'Couldn’t change the email',
  });
}

/** The mails of a thread, oldest first. */
export const mailThread = threads.fetchedBy(async (threadId: string, { read }) => {
  const params = { userEmail: ownAddress(), threadId };
  return (await read(mailChangeRoutes.readThread, { params })).data;
});
