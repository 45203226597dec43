import { setTimeout as wait } from 'node:timers/promises';
import type { Case } from '@matterdesk/contract/cases.ts';
import { paintPicture } from '@matterdesk/server/testing/picture.ts';
import type { TwilioMessage } from '@matterdesk/server/testing/twilio-world.ts';
import type { Twilio } from '@matterdesk/server/testing/twilio.ts';

export type TextStage = {
  twilio: Twilio;
  matters: Case[];
  /** Milliseconds that clients take to answer. */
  pace: number;
  signal: AbortSignal;
};

const answers = [
  'Got it, thank you.',
  'OK – I can be there at 3. Where do I park?',
  'Thanks! I will send the papers tonight.',
  'Can you call me later? I am at work.',
];

/** Clients start writing as soon as the firm has a number. */
export async function greetNumber(stage: TextStage, number: string): Promise<void> {
  const clients = stage.matters.flatMap(({ clientInfo, caseName }) => {
    const from = toE164(clientInfo.phoneNumber);
    return from === undefined ? [] : [{ from, name: clientInfo.name, caseName }];
  });
  const [first, second, third] = clients;
  const body = (text: string, { name = '', caseName = '' } = {}) =>
    text.replace('NAME', name).replace('CASE', caseName);
  const bytes = await paintPicture(['Police report, page 1'], '#3b5b45');
  const media = [{ contentType: 'image/png', bytes }];
  const texts = [
    { from: first?.from, body: body('Hello, this is NAME. Is there any news on CASE?', first) },
    { from: second?.from, body: body('NAME here – I found the police report.', second), media },
    { from: third?.from, body: body('Do I have to come to the hearing? NAME', third) },
  ];
  for (const { from, ...text } of texts) {
    if (!(await passes(stage))) return;
    if (from !== undefined) await stage.twilio.receive({ from, to: number, ...text });
  }
}

/** Outside recipients answer, unless the text was not delivered. */
export async function answerText(stage: TextStage, message: TwilioMessage): Promise<void> {
  const { from, to, direction } = message;
  const isOurs = stage.twilio.numbers.some(({ phoneNumber }) => phoneNumber === to);
  if (isOurs || direction !== 'outbound-api') return;
  if (!(await passes(stage)) || message.status === 'undelivered') return;
  const body = answers[stage.twilio.messages.length % answers.length] ?? '';
  await stage.twilio.receive({ from: to, to: from, body });
}

/** Waits; false once the sandbox closes. */
async function passes({ pace, signal }: TextStage): Promise<boolean> {
  await wait(pace, undefined, { signal }).catch(() => undefined);
  return !signal.aborted;
}

/** `1 212 555 0123` as `+12125550123`. */
function toE164(text: string): string | undefined {
  const digits = text.replaceAll(/\D/g, '');
  return /^1\d{10}$/.test(digits) ? `+${digits}` : undefined;
}
