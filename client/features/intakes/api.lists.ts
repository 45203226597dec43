import { Resource } from '../../core/resource.ts';
import { details, lists } from './slice.ts';

// The calls know the whole contract of intakes, which the shell does not load before it is needed.
const load = () => import('./api.ts');

/** A list of intakes, the soonest due first. */
export const intakeList = new Resource(lists, {
  slice: ({ intakes }) => intakes,
  kept: 6,
  fetch: async (query, { signal }) => (await load()).readList(query, signal),
});

/** An intake with what belongs to it. */
export const intakeOf = new Resource(details, {
  slice: ({ intakes }) => intakes,
  kept: 4,
  fetch: async (id: string, { signal }) => (await load()).readOne(id, signal),
});
