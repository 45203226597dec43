import { contentUrl } from '@matterdesk/contract/files.ts';
import type { FiledMail } from '@matterdesk/contract/mails.ts';
import type { Scoped } from '../../../db/schema.ts';
import * as store from './store.ts';

/** Where the mail is filed, oldest first. */
export async function listFiled(db: Scoped, mail: store.OwnMail): Promise<FiledMail[]> {
  const rows = await store.listFiled(db, mail);
  return rows.map(({ caseId, caseName, folder, name, at }) => ({
    case: { id: caseId, caseName },
    url: contentUrl(caseId, folder, name),
    at: at.toISOString(),
  }));
}
