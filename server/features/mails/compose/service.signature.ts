// The text below a user's mails.

import { type ActorContext, asActor, write } from '../../../context.ts';
import { requireActive } from '../../accounts/service.ts';
import * as store from './store.ts';

export async function readSignature(context: ActorContext): Promise<{ signature: string }> {
  return { signature: await store.findSignature(asActor(context), context.actor.id) };
}

export async function changeSignature(
  context: ActorContext,
  signature: string,
): Promise<{ signature: string }> {
  return write(context, async ({ trx }) => {
    await requireActive(trx, context.actor);
    await store.putSignature(trx, context.actor.id, signature);
    return { signature };
  });
}
