// Deadlines that no one changes alone.

import { deadlineRoutes } from '@matterdesk/contract/deadline-routes.ts';
import type { Actor } from '../../core/actor.ts';
import type { Binder } from '../../http/bind.ts';
import { bindChains } from './chains/routes.ts';
import { bindCounting } from './counting/routes.ts';
import type { Act } from './service.ts';
import type { createDeadlines } from './service.assembly.ts';

export function bindDeadlines(binder: Binder, services: ReturnType<typeof createDeadlines>) {
  const { deadlines, changes, history, idle } = services;
  bindCounting(binder, services.counting);
  bindChains(binder, services);
  binder.bind(deadlineRoutes.listDeadlines, ({ actor, query }) =>
    deadlines.listDeadlines(actor, query),
  );
  binder.bind(deadlineRoutes.addDeadline, ({ actor, body, once }) =>
    deadlines.addDeadline(actor, body, once),
  );
  binder.bind(deadlineRoutes.exportDeadlines, ({ actor, body }) =>
    history.exportHistory(actor, body.case),
  );
  binder.bind(deadlineRoutes.listIdleCases, ({ actor, query }) => idle.list(actor, query));
  binder.bind(deadlineRoutes.readDeadline, ({ actor, params }) =>
    deadlines.readDeadline(actor, params.id),
  );
  const allow =
    (act: Act) =>
    ({ actor, params, json }: { actor: Actor; params: { id: string }; json: unknown }) =>
      deadlines.requirePermission(actor, { ...params, act, json });
  binder.bind(
    deadlineRoutes.changeDeadline,
    ({ actor, params, body }) => deadlines.changeDeadline(actor, params.id, body),
    allow('change'),
  );
  binder.bind(
    deadlineRoutes.verifyDeadline,
    ({ actor, params, body }) => changes.verify(actor, params.id, body),
    allow('verify'),
  );
  binder.bind(
    deadlineRoutes.acknowledgeDeadline,
    ({ actor, params }) => changes.acknowledge(actor, params.id),
    allow('acknowledge'),
  );
  binder.bind(
    deadlineRoutes.proposeChange,
    ({ actor, params, body }) => changes.propose(actor, params.id, body),
    allow('propose'),
  );
  binder.bind(
    deadlineRoutes.decideChange,
    ({ actor, params, body }) => changes.decide(actor, params.id, body),
    allow('decide'),
  );
}
