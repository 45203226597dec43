// Deadlines that no one changes alone.

import { deadlineRoutes } from '@matterdesk/contract/deadlines.ts';
import type { Binder } from '../../http/bind.ts';
import {
  type Act,
  addDeadline,
  changeDeadline,
  listDeadlines,
  readDeadline,
  requireDeadlinePermission,
} from './service.ts';
import { exportHistory } from './service.export.ts';
import { listIdleCases } from './idle/service.ts';
import {
  acknowledgeDeadline,
  decideDeadlineChange,
  proposeDeadlineChange,
  verifyDeadline,
} from './service.changes.ts';
import type { ActorContext } from '../../context.ts';
import { serveChains } from './chains/routes.ts';
import { serveCounting } from './counting/routes.ts';

export function serveDeadlines(binder: Binder) {
  serveCounting(binder);
  serveChains(binder);
  const allow =
    (act: Act) =>
    ({ context, params, json }: { context: ActorContext; params: { id: string }; json: unknown }) =>
      requireDeadlinePermission(context, { ...params, act, json });
  binder.serve(deadlineRoutes, {
    listDeadlines: ({ context, query }) => listDeadlines(context, query),
    addDeadline: ({ context, body, once }) => addDeadline(context, body, once),
    exportDeadlines: ({ context, body }) => exportHistory(context, body.case),
    listIdleCases: ({ context, query }) => listIdleCases(context, query),
    readDeadline: ({ context, params }) => readDeadline(context, params.id),
    changeDeadline: {
      guard: allow('change'),
      handle: ({ context, params, body }) => changeDeadline(context, params.id, body),
    },
    verifyDeadline: {
      guard: allow('verify'),
      handle: ({ context, params, body }) => verifyDeadline(context, params.id, body),
    },
    acknowledgeDeadline: {
      guard: allow('acknowledge'),
      handle: ({ context, params }) => acknowledgeDeadline(context, params.id),
    },
    proposeChange: {
      guard: allow('propose'),
      handle: ({ context, params, body }) => proposeDeadlineChange(context, params.id, body),
    },
    decideChange: {
      guard: allow('decide'),
      handle: ({ context, params, body }) => decideDeadlineChange(context, params.id, body),
    },
  });
}
