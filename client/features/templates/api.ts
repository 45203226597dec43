import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { contactRoutes } from '@matterdesk/contract/contacts.ts';
import { fileRoutes } from '@matterdesk/contract/files.ts';
import { firmRoutes } from '@matterdesk/contract/firm.ts';
import type { RouteReply } from '@matterdesk/contract/route.ts';
import {
  type DocumentsDryRun,
  type MadeDocument,
  type NewDocuments,
  templateRoutes,
} from '@matterdesk/contract/templates.ts';
import { call } from '../../api.ts';
import { fileOfLink } from '../../core/file-link.ts';
import { filedToCase } from '../../core/filed.ts';
import { mutation } from '../../core/mutation.ts';
import { type Dispatch, store } from '../../core/store.ts';
import { uploadFile } from '../../core/upload.ts';
import type { SavedAnswers } from './rules.ts';
import { templateChanged } from './slice.ts';

export const changeTemplate = mutation(
  templateRoutes.changeTemplate,
  'Couldn’t save the template',
  { done: ({ template }) => store.dispatch(templateChanged(template)) },
);

/** Adds a Word file as a template, or as a newer version of one. */
export async function sendTemplate(
  file: File,
  to: { id: string } | { name: string; types: string },
): Promise<UploadedTemplate> {
  const sent = { file, onProgress: () => undefined };
  const uploaded = await (
    'id' in to
      ? uploadFile(templateRoutes.addTemplateVersion, { ...sent, params: { id: to.id } })
      : uploadFile(templateRoutes.addTemplate, { ...sent, fields: to })
  ).done;
  store.dispatch(templateChanged(uploaded.template));
  return uploaded;
}
export type UploadedTemplate = RouteReply<typeof templateRoutes.addTemplate>;

/** Says what a template lacks, and the first page. @param preview of which recipient, from 0 */
export async function tryDocuments(
  caseId: string,
  body: NewDocuments,
  { preview, signal }: { preview: number; signal: AbortSignal },
): Promise<DocumentsDryRun> {
  const query = { dryRun: '1', preview: String(preview) };
  const sent = { params: { id: caseId }, query, body, signal, toasts: 'none' } as const;
  return (await call(templateRoutes.makeDocuments, sent)) as DocumentsDryRun;
}

const sendDocuments = mutation(templateRoutes.makeDocuments, 'Couldn’t make the documents', {
  toasts: 'errors',
});

/** Makes them, and keeps what is also for the matter. @returns those that were made */
export function makeDocuments(
  caseId: string,
  body: NewDocuments,
  { saved, key }: { saved: SavedAnswers; key: string },
) {
  return async (dispatch: Dispatch): Promise<MadeDocument[]> => {
    const sent = { params: { id: caseId }, body, idempotencyKey: key };
    const reply = await sendDocuments(sent);
    dispatch(filedToCase(caseId));
    await save(caseId, saved);
    return 'documents' in reply ? reply.documents : [];
  };
}

const failing = 'Couldn’t save it to the matter';
const changeCase = mutation(caseRoutes.changeCase, failing, { toasts: 'errors' });
const changeContact = mutation(contactRoutes.changeContact, failing, { toasts: 'errors' });
const changeFirm = mutation(firmRoutes.changeFirm, failing, { toasts: 'errors' });

async function save(id: string, { case: matter, contacts, firm }: SavedAnswers): Promise<void> {
  if (matter) await changeCase({ params: { id }, body: matter });
  for (const [contactId, body] of contacts)
    await changeContact({ params: { id: contactId }, body });
  if (firm) await changeFirm({ body: firm });
}

/** Takes documents back: their files go to the trash. */
export function undoDocuments(caseId: string, urls: readonly string[]) {
  return async (dispatch: Dispatch): Promise<void> => {
    for (const url of urls) {
      const file = fileOfLink(url);
      if (file) await call(fileRoutes.deleteFile, { params: file, toasts: 'errors' });
    }
    dispatch(filedToCase(caseId));
  };
}
