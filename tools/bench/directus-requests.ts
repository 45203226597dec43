import type { NewCase } from '@matterdesk/contract/cases.ts';
import type { NewTask } from '@matterdesk/contract/tasks.ts';
import { fold, searchText } from '@matterdesk/server/db/search.ts';
import { toRow } from '@matterdesk/server/features/cases/rules.ts';
import { searched } from '@matterdesk/server/features/cases/store.ts';
import type { HttpRequest } from './http-client.ts';

/** Texts and numbers that Directus would search, too. */
export const UNSEARCHED = [
  'serial',
  'case_no_key',
  'status_type',
  'days_open',
  'search_text',
  'access',
  'no_statute',
] as const;

const OF_CASE = [
  'id',
  'status_type',
  ...searched,
  'date_of_opening',
  'doi',
  'sol',
  'days_open',
  'created_at',
  'updated_at',
];
const ASSIGNED = ['id', 'first_name', 'last_name'].map((name) => `assigned.user_id.${name}`);
const OF_TASK = [
  'id',
  'case_id',
  'name',
  'description',
  'start_time',
  'end_time',
  'type',
  'in_column_since',
  'done_at',
  'created_by',
  'created_at',
  'updated_at',
  ...['id', 'first_name', 'last_name'].map((name) => `assigned_to.${name}`),
];

const ROUTE = /^\/api\/v1\/(?<collection>cases|tasks)(?:\/(?<id>[^/?]+))?(?:\?(?<query>.*))?$/;

/** Directus' own search of the searched columns, or a filter on the text that ours has indexed. */
export type Search = 'own' | 'indexed';

/** The request to Directus that reads or writes the same rows. @throws Error for other requests of ours */
export function toDirectus({ method = 'GET', path, json }: HttpRequest, search: Search = 'own'): HttpRequest {
  const { collection, id, query } = ROUTE.exec(path)?.groups ?? {};
  if (collection === 'cases' && method === 'POST') return newCase(json as NewCase);
  if (collection === 'cases' && id !== undefined) return oneCase(id);
  if (collection === 'cases') return page(new URLSearchParams(query), search);
  if (collection === 'tasks' && method === 'POST') return newTask(json as NewTask);
  if (collection === 'tasks' && id !== undefined)
    return method === 'PATCH' ? movedTask(id, json as { type: string }) : board(id);
  throw new Error(`Directus has no request like ${method} ${path}`);
}

function page(ours: URLSearchParams, search: Search): HttpRequest {
  const words = ours.get('search');
  const statusType = ours.get('statusType');
  const filters = {
    ...(words !== null && search === 'own' && { search: words }),
    ...(words !== null &&
      search === 'indexed' && { 'filter[search_text][_contains]': fold(words) }),
    ...(statusType !== null && { 'filter[status_type][_eq]': statusType }),
  };
  const limit = ours.get('limit') ?? '';
  return { path: items('cases', { fields: list(), sort: '-serial', limit, ...filters }) };
}

function oneCase(id: string): HttpRequest {
  return { path: items(`cases/${id}`, { fields: list() }) };
}

const list = () => [...OF_CASE, ...ASSIGNED].join(',');

function board(caseId: string): HttpRequest {
  const filters = { 'filter[case_id][_eq]': caseId, 'filter[deleted_at][_null]': 'true' };
  const sort = 'in_column_since,id';
  return { path: items('tasks', { fields: OF_TASK.join(','), sort, limit: '-1', ...filters }) };
}

/** The row alone. What the server works out for a case of ours, the caller sends. */
function newCase(input: NewCase): HttpRequest {
  const row = toRow(input, new Date());
  const derived = {
    case_no_key: fold(row.case_no ?? ''),
    search_text: searchText(searched.map((column) => row[column] ?? '')),
  };
  const path = items('cases', { fields: list() });
  return { method: 'POST', path, json: { ...row, ...derived } };
}

function newTask(task: NewTask): HttpRequest {
  const json = {
    case_id: task.case,
    name: task.name,
    description: task.description,
    start_time: task.startTime,
    end_time: task.endTime,
    type: task.type,
    assigned_to: task.assignedTo,
    created_by: task.assignedTo,
  };
  return { method: 'POST', path: items('tasks', { fields: OF_TASK.join(',') }), json };
}

function movedTask(id: string, { type }: { type: string }): HttpRequest {
  const now = new Date().toISOString();
  const json = { type, in_column_since: now, updated_at: now };
  return { method: 'PATCH', path: items(`tasks/${id}`, { fields: OF_TASK.join(',') }), json };
}

function items(place: string, query: Record<string, string>): string {
  return `/items/${place}?${new URLSearchParams(query).toString()}`;
}
