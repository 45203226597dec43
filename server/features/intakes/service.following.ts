import { asActor } from '../../context.ts';
import type { Follower } from '../contacts/service.merging.ts';
import type { Sources } from '../contacts/service.reading.ts';
import * as store from './store.checks.ts';

/** Intakes on the card of a contact. */
const SHOWN = 50;

/** Moves intakes along when contacts are merged. */
export const intakeFollower: Follower = {
  move: ({ trx }, pair) => store.moveContact(trx, pair),
  giveBack: async ({ trx }, { into, from }, ids) => {
    await store.moveContact(trx, { into: from, from: into }, ids);
  },
};

/** Finds the intakes of a contact that the caller sees. */
export const listIntakesOf: Sources['intakes'] = (context, contactId) =>
  store.listOfContact(asActor(context), contactId, SHOWN);
