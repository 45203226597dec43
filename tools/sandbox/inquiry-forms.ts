import { setTimeout as wait } from 'node:timers/promises';
import { formPath } from '@matterdesk/contract/intake-forms.ts';
import { CommandError } from '@matterdesk/server/operations/command.ts';
import type { SentForm } from './inquiry-samples.ts';

/** A public page as a stranger has it. */
export type OpenedForm = { address: string; form: SentForm; stamp: string; at: number };

/** Milliseconds within which no person fills in a form; what is sent sooner is spam. */
export const SOONEST = 3300;

export async function openForm(url: string, form: SentForm): Promise<OpenedForm> {
  const address = `${url}${formPath(form.slug)}`;
  const page = await (await fetch(address)).text();
  const stamp = /name="stamp" value="([^"]+)"/.exec(page)?.[1];
  if (stamp === undefined) throw new CommandError(`The form at ${address} has no stamp`);
  return { address, form, stamp, at: Date.now() };
}

/** @param least milliseconds since the page was opened */
export async function sendLater({ address, form, stamp, at }: OpenedForm, least: number) {
  await wait(Math.max(0, at + least - Date.now()));
  const body = new FormData();
  const { answers, source } = form;
  for (const [key, answer] of Object.entries(answers)) body.set(`f-${key}`, answer);
  for (const [name, value] of Object.entries({ stamp, source, understood: 'yes', mayText: 'yes' }))
    body.set(name, value);
  const { status } = await fetch(address, { method: 'POST', body, redirect: 'manual' });
  if (status !== 303) throw new CommandError(`The form at ${address} answered ${status}`);
}
