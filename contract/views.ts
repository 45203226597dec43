import * as z from 'zod/mini';
import { defineRoute } from './route.ts';
import { choice, line, optionalLine } from './text.ts';

/** Lists whose filters can be saved. */
export const viewPages = [
  ...(['matters', 'tasks', 'deadlines'] as const),
  ...(['contacts', 'intakes', 'record'] as const),
] as const;
export type ViewPage = (typeof viewPages)[number];

/** Views of one user. */
export const VIEWS_MAX = 100;
const NAME_MAX = 60;
const QUERY_MAX = 2000;

export const NewViewSchema = z.strictObject({
  page: choice('Page', viewPages),
  name: line('Name', { max: NAME_MAX }),
  /** The list's tab, search, filters and order, as in its address: `status=Discovery&sort=sol`. */
  query: z._default(optionalLine('Query', { max: QUERY_MAX }), ''),
});
export type NewView = z.output<typeof NewViewSchema>;

const ViewSchema = z.object({
  id: z.string(),
  page: z.enum(viewPages),
  name: z.string(),
  query: z.string(),
});
export type SavedView = z.infer<typeof ViewSchema>;

const path = '/api/v1/views';

export const viewRoutes = {
  listViews: defineRoute({
    method: 'GET',
    path,
    summary: 'The saved views of the caller, by name',
    access: 'signedIn',
    reply: z.object({ views: z.array(ViewSchema) }),
    message: 'OK',
  }),
  saveView: defineRoute({
    method: 'POST',
    path,
    summary: 'Saves a list with its filters; one of the same page and name is replaced',
    access: 'signedIn',
    body: NewViewSchema,
    reply: z.object({ view: ViewSchema }),
    status: 201,
    message: 'View saved',
  }),
  deleteView: defineRoute({
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Removes a saved view',
    access: 'signedIn',
    reply: z.null(),
    message: 'View removed',
  }),
};
