// Conflict checks: what names meet, the records, and what was decided.

import { Resource } from '../../core/resource.ts';
import type { RootState } from '../../core/store.ts';
import { checks, lists, looks } from './slice.ts';

// The calls know the whole contract of conflicts, which is loaded with the first check.
const load = () => import('./api.ts');
const slice = ({ conflicts }: RootState) => conflicts;

/** What a name meets while it is typed. */
export const lookFor = new Resource(looks, {
  slice,
  kept: 20,
  fetch: async (query, { signal }) => (await load()).look(query, signal),
});

/** Checks, newest first. */
export const checkList = new Resource(lists, {
  slice,
  kept: 2,
  fetch: async (filters, { signal, cursor }) => (await load()).readList(filters, cursor, signal),
});

/** One check. */
export const checkOf = new Resource(checks, {
  slice,
  kept: 2,
  fetch: async (id: string, { signal }) => (await load()).readCheck(id, signal),
});
