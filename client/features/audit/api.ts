import { auditRoutes } from '@matterdesk/contract/audit.ts';
import { download } from '../../api.ts';
import type { Filters } from './slice.ts';

export function exportEntries(query: Filters) {
  return download(auditRoutes.exportEntries, { query, failing: 'Couldn’t export the record' });
}
