import type { MakeIntake } from '../../core/make-intake.ts';

/** For pages where an intake is made now and then: the rest of intakes is loaded at the click. */
export const makeIntake: MakeIntake = async (from, idempotencyKey) =>
  (await (await import('./api.ts')).addIntake({ body: from, idempotencyKey })).intake;
