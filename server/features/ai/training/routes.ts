import { aiRoutes } from '@matterdesk/contract/ai.ts';
import type { Binder } from '../../../http/bind.ts';
import type { TrainingService } from './service.ts';

export function bindAi(binder: Binder, training: TrainingService) {
  binder.bind(aiRoutes.train, ({ actor, body }) => training.train(actor, body));
  binder.bind(aiRoutes.check, ({ actor, body }) => training.check(actor, body));
}
