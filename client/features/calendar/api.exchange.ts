import { exchangeRoutes } from '@matterdesk/contract/calendar-exchange.ts';
import { call } from '../../api.ts';

/** The matter and the kind of a file's events. */
export type ImportFields = { caseId: string; kind: string };

/** Previews what an import would do with each event of a file. */
export async function tryImport(file: File, fields: ImportFields, signal: AbortSignal) {
  const query = { dryRun: 1 };
  const input = { query, file, fields, signal, failing: 'Couldn’t read the file' };
  return (await call(exchangeRoutes.importEvents, { ...input, toasts: 'none' })).items;
}

/** Takes all events of a file, or none. */
export async function importEvents(file: File, fields: ImportFields) {
  const input = { file, fields, failing: 'Couldn’t import the events' };
  return (await call(exchangeRoutes.importEvents, input)).items;
}
