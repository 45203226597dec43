import { aiRoutes, type Question } from '@matterdesk/contract/ai.ts';
import { call } from '../../api.ts';

export type FileAt = { caseId: string; folder: string; name: string };

export function train({ caseId, folder, name }: FileAt) {
  const body = { case_id: caseId, folder_to_download: folder, file_name: name };
  return call(aiRoutes.train, { body, toasts: 'none' });
}

export function checkTraining({ caseId, folder, name }: FileAt, signal?: AbortSignal) {
  const body = { case_id: caseId, folder, file_name: name };
  return call(aiRoutes.check, { body, toasts: 'none', ...(signal && { signal }) });
}

export function ask(body: Question, signal: AbortSignal) {
  return call(aiRoutes.ask, { body, signal, toasts: 'none' });
}
